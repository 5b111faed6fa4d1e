"""An LMTP server: an MTA delivers mails into it, and each is acknowledged when the log has it, or the next hop took it.

Without a next hop the log is where a mail ends: 250 says that it is durable there. With one, a mail goes onto the log,
waits for its prediction until the deadline, and is passed on with header fields; what the next hop replies to each
recipient is what the MTA gets. Until a reply the mail is the MTA's, which delivers it again: whatever dies here, no
mail is lost. When it comes again it has the same id.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from stream_nb.mail.limits import MAX_MAIL_BYTES

from ..errors import ConsumerError
from ..log.base import Log
from ..records.heartbeat import FEED, HeartbeatWriter, member_of
from ..settings import Settings
from .headers import with_fields
from .listener import BACKLOG, open_socket, serve_until
from .next_hop import NextHop, pass_on, with_crlf
from .path import MailPath, unscorable

MAX_PASSED_BYTES = 50_000_000
"""Of a mail that is passed on; one that ends on the log must not be larger than what the log takes."""

MAX_LINE_BYTES = 1 << 20
IDLE_S = 900.0
"""More than the next hop may take for a reply: the MTA must not be cut off while its mail is passed on."""

MOST_PASSED_AT_ONCE = 32
STOP_S = 30.0
TRY_AGAIN = "451 4.3.0 "

logger = logging.getLogger(__name__)


class LmtpServer:
    """LMTP on `host` and `port` (0: any free one, see `port`); binds when made. Raises UserError.

    Args:
        open_log: Opens the log.
        settings: The settings; of [filter] the deadline, the words and the number of connections count.
        host: The address to listen on.
        port: The port.
        next_hop: Where mails are passed on to; None: they end on the log.
    """

    def __init__(
        self, open_log: Callable[[], Log], settings: Settings, host: str, port: int, next_hop: NextHop | None
    ) -> None:
        self._open_log = open_log
        self._settings = settings
        self._host = host
        self._next_hop = next_hop
        self.mails = 0
        self._socket = open_socket(host, port, f"lmtp://{host}:{port}", "choose another address or port")
        self.port: int = self._socket.getsockname()[1]

    def run(self, stop: Event, ready: Callable[[], None] = lambda: None) -> None:
        """Take mails until `stop` is set; `ready` is called once they can be taken. Signals are the caller's."""
        asyncio.run(self._run(stop, ready))

    async def _run(self, stop: Event, ready: Callable[[], None]) -> None:
        path = MailPath(self._open_log, self._settings, redelivers=True)
        heartbeat = HeartbeatWriter(path, FEED, member_of(f"lmtp://{self._host}:{self.port}"))
        delivery = _Delivery(path, self._next_hop)
        loop = asyncio.get_running_loop()
        connect = partial(_Connection, delivery, self._settings, loop)
        start = partial(loop.create_server, connect, sock=self._socket, backlog=BACKLOG)
        await serve_until(stop, path, heartbeat, start, ready)
        # A mail that is being answered gets its answer; the others are the MTA's to deliver again.
        deadline = loop.time() + STOP_S
        while delivery.busy and loop.time() < deadline:
            await asyncio.sleep(0.02)
        delivery.close()
        self.mails = delivery.mails
        await asyncio.to_thread(path.close)


class _Delivery:
    """What is done with a mail: the handler of aiosmtpd's connections."""

    def __init__(self, path: MailPath, next_hop: NextHop | None) -> None:
        self._path = path
        self._next_hop = next_hop
        self._threads = ThreadPoolExecutor(MOST_PASSED_AT_ONCE, thread_name_prefix="next-hop")
        self.connections = 0
        self.busy = 0
        self.mails = 0

    @property
    def most_bytes(self) -> int:
        """The largest mail that is taken."""
        return MAX_MAIL_BYTES if self._next_hop is None else MAX_PASSED_BYTES

    def close(self) -> None:
        """Pass nothing more on."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def handle_DATA(self, server: LMTP, session: Session, envelope: Envelope) -> str:
        """The reply to a mail: a line for each recipient."""
        self.busy += 1
        try:
            lines = await self._deliver(envelope)
        except ConsumerError as error:
            logger.warning("a mail is put off: %s", error)
            lines = [f"{TRY_AGAIN}the log does not take the mail; try again later"] * len(envelope.rcpt_tos)
        finally:
            self.busy -= 1
        self.mails += 1
        return "\r\n".join(lines)

    async def handle_exception(self, error: Exception) -> str:
        """The reply where the program has a mistake: the mail stays with the MTA."""
        logger.error("a mail is put off", exc_info=error)
        return f"{TRY_AGAIN}internal error; try again later"

    async def _deliver(self, envelope: Envelope) -> list[str]:
        raw = envelope.original_content or b""
        if self._next_hop is None:
            await self._path.deliver(raw, judge=False)
            return ["250 2.0.0 the log has the mail"] * len(envelope.rcpt_tos)
        verdict = unscorable(raw) or await self._path.deliver(raw, judge=True)
        sent = with_crlf(raw)  # before fields are taken off: a bare CR, too, begins a line for the next hop
        mail = sent if verdict is None else with_fields(sent, verdict.fields)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads,
            pass_on,
            self._next_hop,
            "" if envelope.mail_from in (None, "<>") else envelope.mail_from,
            list(envelope.rcpt_tos),
            [option.upper() for option in envelope.mail_options],
            mail,
        )


class _Connection(LMTP):
    """A connection of an MTA; where it is answered once for a mail, each recipient gets that answer."""

    line_length_limit = MAX_LINE_BYTES

    def __init__(self, delivery: _Delivery, settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            delivery,
            data_size_limit=delivery.most_bytes,
            enable_SMTPUTF8=True,
            hostname=socket.gethostname(),
            ident="stream-nb LMTP",
            timeout=IDLE_S,
            loop=loop,
        )
        self._delivery = delivery
        self._most = settings.filter.connections
        self._to_answer = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._delivery.connections += 1
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._delivery.connections -= 1
        super().connection_lost(error)

    async def smtp_MAIL(self, arg: str | None) -> None:
        if self._delivery.connections > self._most:
            await self.push("452 4.3.2 too many connections; try again later")
            return
        await super().smtp_MAIL(arg)

    async def push(self, status: str | bytes) -> None:
        text = status.decode() if isinstance(status, bytes) else status
        if self._to_answer > 1 and "\r\n" not in text:
            text = "\r\n".join([text] * self._to_answer)
        self._to_answer = len(_recipients(self.envelope)) if text.startswith("354") else 0
        await super().push(text)


def _recipients(envelope: Envelope | None) -> list[Any]:
    return [] if envelope is None else envelope.rcpt_tos
