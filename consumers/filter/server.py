"""The port: one listener for both dialects, which the first line distinguishes, as in rspamd's own server."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from functools import partial
from threading import Event

from ..log.base import Log
from ..records.heartbeat import FILTER, HeartbeatWriter, member_of
from ..records.sources import check_own_source
from ..runtime.addresses import host_and_port
from ..runtime.listening_socket import BACKLOG, open_socket
from ..settings import Settings
from .path import MailPath
from .rspamd import RspamdDialect
from .serving import close_in_time, serve_until
from .spamd import SpamdDialect

FIRST_LINE_S = 30.0
READ_LIMIT = 1 << 16
STOP_S = 5.0
_HTTP = re.compile(rb"[A-Z]+ \S+ HTTP/\d\.\d\r?\n", re.ASCII)

logger = logging.getLogger(__name__)


class FilterServer:
    """The filter on `settings.filter.host` and `port`; the constructor binds the port.

    The attribute `port` is the bound port, also where the setting is 0 (any free one).

    Args:
        open_log: Opens the log; called in the thread that uses it, and again after a fault.
    """

    def __init__(self, open_log: Callable[[], Log], settings: Settings) -> None:
        self._open_log = open_log
        self._settings = settings
        check_own_source(settings.filter.source, "[filter] source")
        host, port = settings.filter.host, settings.filter.port
        self._socket = open_socket(host, port, f"filter {host_and_port(host, port)}", "choose another --host or --port")
        self.port: int = self._socket.getsockname()[1]

    def run(self, stop: Event, ready: Callable[[], None] = lambda: None) -> None:
        """Answer until `stop` is set; `ready` is called once the port listens. The caller handles signals.

        Raises KeyboardInterrupt if the log then does not answer in time.
        """
        mails = asyncio.run(self._run(stop, ready))
        close_in_time(mails)

    async def _run(self, stop: Event, ready: Callable[[], None]) -> MailPath:
        mails = MailPath(self._open_log, self._settings)
        slots = asyncio.Semaphore(self._settings.filter.connections)
        connections: set[asyncio.Task[None]] = set()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            connections.add(task)
            mails.metrics.connections.inc()
            try:
                async with slots:
                    await self._serve(mails, reader, writer)
            except asyncio.CancelledError:  # when the loop ends; asyncio would log it as an error before Python 3.12
                logger.info("connection ended: the filter stops")
            finally:
                connections.discard(task)
                mails.metrics.connections.dec()
                writer.close()

        heartbeat = HeartbeatWriter(mails, FILTER, member_of(host_and_port(self._settings.filter.host, self.port)))
        start = partial(asyncio.start_server, accept, sock=self._socket, limit=READ_LIMIT, backlog=BACKLOG)
        await serve_until(stop, mails, heartbeat, start, ready)
        if connections:
            await asyncio.wait(connections, timeout=STOP_S)
        return mails

    async def _serve(self, mails: MailPath, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(FIRST_LINE_S):
                first = await reader.readuntil(b"\n")
            peer = writer.get_extra_info("peername")
            dialect = RspamdDialect if _HTTP.fullmatch(first) else SpamdDialect
            await dialect(mails, self._settings, peer[0] if peer else "").serve(first, reader, writer)
            if writer.can_write_eof():
                writer.write_eof()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as error:
            # The client disconnected, was too slow, or sent a line without an end, so it gets no answer.
            logger.info("connection ended: %s", error)
            writer.transport.abort()  # `close` would wait until it has read all that was written
