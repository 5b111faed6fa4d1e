"""IPv4 and IPv6 addresses: the kind of socket that one needs, and how it is written."""

from __future__ import annotations

import socket


def address_family(host: str, port: int) -> socket.AddressFamily:
    """The family of the first address of `host`, an IP address or a name, for `port` (0 to 65535).

    Raises:
        OSError: The host has no address, or its name is invalid.

    >>> address_family("127.0.0.1", 0).name, address_family("::1", 0).name
    ('AF_INET', 'AF_INET6')
    """
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except UnicodeError as error:  # a part of the name is empty, as in a..b, or longer than 63 characters
        raise OSError(None, "not a host name") from error


def host_and_port(host: str, port: int) -> str:
    """The address of `host` (an IP address or a name) and `port` as text, as in a URL.

    >>> host_and_port("127.0.0.1", 25), host_and_port("::1", 25)
    ('127.0.0.1:25', '[::1]:25')
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
