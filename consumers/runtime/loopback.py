"""Recognises names and addresses that only this machine can reach."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`, an IP address or a name.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return host == "localhost" or is_loopback_address(host)


def is_loopback_address(text: str) -> bool:
    """Whether `text` is a loopback IP address; names are not.

    >>> is_loopback_address("::ffff:127.0.0.1"), is_loopback_address("localhost")
    (True, False)
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_loopback
