"""The serving loop, with heartbeats, that the filter and the LMTP server share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from threading import Event

from ..errors import UserError
from ..records.heartbeat import HeartbeatWriter
from .path import MailPath


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
        start: Starts the server on a socket from `runtime.listening_socket.open_socket`.
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
