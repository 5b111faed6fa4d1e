"""Addresses of machines: which are this machine, what kind of socket one needs, and how one is written."""

from __future__ import annotations

import ipaddress
import socket


def ip_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address `text`, as IPv4 if it is an IPv4 address mapped to IPv6; None for a name.

    >>> ip_address("::ffff:127.0.0.1"), ip_address("localhost")
    (IPv4Address('127.0.0.1'), None)
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped) or address


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`, an IP address or a name.

    >>> is_loopback("localhost"), is_loopback("::ffff:127.0.0.1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    address = ip_address(host)
    return host == "localhost" if address is None else address.is_loopback


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
