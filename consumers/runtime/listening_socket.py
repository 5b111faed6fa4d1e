"""The socket on which a server listens."""

from __future__ import annotations

import socket

from ..errors import UserError
from .addresses import address_family

BACKLOG = 512
"""Connections that wait to be accepted; for `listen`."""


def open_socket(host: str, port: int, name: str, advice: str) -> socket.socket:
    """A socket bound to `host` and `port` (0: any free one), which does not listen yet, so that clients are refused
    until the server starts, not left waiting. An error says what is to listen there (`name`) and what to do (`advice`).

    Raises:
        UserError: The port is in use, reserved or above 65535, or the address does not belong to this machine.
    """
    try:
        family = address_family(host, port)
        bound = socket.socket(family)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else "ports end at 65535"
        raise UserError(f"{name}: {why}; {advice}") from error
    return bound
