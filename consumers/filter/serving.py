"""The serving loop, with heartbeats, and its end, which the filter and the LMTP server share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from threading import Event, Thread

from ..errors import UserError
from ..records.heartbeat import HeartbeatWriter
from .path import MailPath

CLOSE_S = 10.0
"""How long a server that stops waits for a log that does not answer. Nobody has been told that what still waits is on
the log, so it ends before a service manager kills it."""

logger = logging.getLogger(__name__)


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


def close_in_time(path: MailPath) -> None:
    """Close `path` after its loop, which would wait for it after a second Ctrl-C, too. Raises KeyboardInterrupt, which
    ends the process at once, as a second Ctrl-C does, if that takes longer than `CLOSE_S`."""
    closing = Thread(target=path.close, name="filter-close", daemon=True)
    closing.start()
    closing.join(CLOSE_S)
    if closing.is_alive():
        logger.warning("the log does not answer for %g s: ending without it; mails without a score may be missing on "
                       "it, labels without an answer, too", CLOSE_S)  # fmt: skip
        raise KeyboardInterrupt
