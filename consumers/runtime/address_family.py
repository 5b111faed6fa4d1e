"""The kind of socket that an address needs: IPv4 or IPv6."""

from __future__ import annotations

import socket


def address_family(host: str, port: int) -> socket.AddressFamily:
    """The family of the first address of a host.

    Args:
        host: An IP address or a name.
        port: The port, 0 to 65535.

    Raises:
        OSError: The host has no address, or its name is invalid.

    >>> address_family("127.0.0.1", 0).name, address_family("::1", 0).name
    ('AF_INET', 'AF_INET6')
    """
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except UnicodeError as error:  # a part of the name is empty, as in a..b, or longer than 63 characters
        raise OSError(None, "not a host name") from error
