"""What the filter and the LMTP server share: a socket, and a life with heartbeats from the first sign to the last."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from threading import Event

from ..errors import UserError
from ..records.heartbeat import HeartbeatWriter
from .path import MailPath

BACKLOG = 512


def open_socket(host: str, port: int, name: str, advice: str) -> socket.socket:
    """A socket with an address, on which nothing listens yet: who connects is refused until the server starts, and need
    not wait for the end of its patience.

    Args:
        host: The address.
        port: The port; 0 for any that is free.
        name: What is to listen there, for the error.
        advice: What to do where it cannot, for the error.

    Raises:
        UserError: Somebody else listens there, or the address is none of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
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
    """Wait for the path of mails, serve, and take no more connections once `stop` is set.

    Args:
        stop: Set by the caller, from any thread.
        path: Has to read the latest predictions first.
        heartbeat: Of this process.
        start: Starts the server on a socket that `open_socket` gave.
        ready: Called once mails can be taken.

    Raises:
        UserError: Somebody else has begun to listen there in the meantime.
    """
    waiting = asyncio.create_task(path.ready())
    while not (waiting.done() or stop.is_set()):
        heartbeat.beat(starting="reading the latest predictions")
        await asyncio.sleep(0.02)
    try:
        server = await start()
    except OSError as error:
        await asyncio.to_thread(path.close)
        raise UserError(f"the port was free a moment ago: {error.strerror}; stop what listens there") from error
    ready()
    while not stop.is_set():
        heartbeat.beat()
        await asyncio.sleep(0.1)
    server.close()
    waiting.cancel()
    heartbeat.beat(stopped=True)
