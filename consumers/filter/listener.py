"""The socket and the serving loop, with heartbeats, that the filter and the LMTP server share."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from threading import Event

from ..errors import UserError
from ..records.heartbeat import HeartbeatWriter
from ..runtime.address_family import address_family
from .path import MailPath

BACKLOG = 512


def open_socket(host: str, port: int, name: str, advice: str) -> socket.socket:
    """A bound socket that does not listen yet, so that clients are refused until the server starts, not left waiting.

    Args:
        host: The address.
        port: The port; 0 for any free one.
        name: What is to listen there, for the error message.
        advice: What to do if it cannot, for the error message.

    Raises:
        UserError: The port is in use, or the address does not belong to this machine.
    """
    try:
        family = address_family(host, port)
        bound = socket.socket(family)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}; {advice}") from error
    return bound


async def serve_until(
    stop: Event,
    path: MailPath,
    heartbeat: HeartbeatWriter,
    start: Callable[[], Awaitable[asyncio.Server]],
    ready: Callable[[], None],
) -> None:
    """Wait until `path` is ready, then serve; close the server once `stop` is set.

    Args:
        stop: Set by the caller, from any thread.
        path: The path of mails, which reads the latest predictions first.
        heartbeat: The heartbeat of this process.
        start: Starts the server on a socket from `open_socket`.
        ready: Called once the server accepts mails.

    Raises:
        UserError: Another process has taken the port in the meantime.
    """
    waiting = asyncio.create_task(path.ready())
    while not (waiting.done() or stop.is_set()):
        heartbeat.beat(starting="reading the latest predictions")
        await asyncio.sleep(0.02)
    try:
        server = await start()
    except OSError as error:
        await asyncio.to_thread(path.close)
        raise UserError(
            f"another process has just taken the port: {error.strerror}; stop it, or choose another port"
        ) from error
    ready()
    while not stop.is_set():
        heartbeat.beat()
        await asyncio.sleep(0.1)
    server.close()
    waiting.cancel()
    heartbeat.beat(stopped=True)
