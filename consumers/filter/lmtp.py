"""An LMTP server to which an MTA delivers mails; each is acknowledged once the log or the next hop has accepted it.

Without a next hop, 250 means that the mail, or the start of one too large to score, is durable on the log. With one,
the mail is appended to the log, waits for its prediction until the deadline, and is relayed with header fields added;
the MTA gets the next hop's reply for each recipient. Until it has a reply, the MTA keeps the mail and delivers it
again, so a crash loses no mail. A mail that is delivered again has the same id.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from ..errors import ConsumerError
from ..ingest.formats.mbox import MAX_READ_BYTES
from ..log.base import Log
from ..records.heartbeat import FEED, HeartbeatWriter, member_of
from ..runtime.addresses import host_and_port
from ..runtime.listening_socket import BACKLOG, open_socket
from ..settings import Settings
from .headers import with_fields
from .next_hop import NextHop, pass_on, with_crlf
from .path import MailPath
from .serving import close_in_time, serve_until
from .verdict import unscorable

MAX_PASSED_BYTES = 50_000_000
"""Larger mails are refused."""

MAX_LINE_BYTES = 1 << 20
IDLE_S = 900.0
"""Longer than the timeout for the next hop's reply, so that the MTA is not disconnected while its mail is relayed."""

MOST_PASSED_AT_ONCE = 32
STOP_S = 30.0
TRY_AGAIN = "451 4.3.0 "
_ADDRESS = re.compile(r'<((?:[^">\\]|\\.|"(?:[^"\\]|\\.)*")*)>[ \t]*(.*)')
"""A path of RFC 5321, and the parameters after it."""

logger = logging.getLogger(__name__)


class LmtpServer:
    """LMTP on `host` and `port`; the constructor binds the port. Raises UserError.

    The attribute `port` is the bound port, also where it is to be 0 (any free one). Of the settings in [filter], the
    deadline, the words and the number of connections apply. `open_log` opens the log. Without a `next_hop` to relay
    them to, mails are only appended to the log.
    """

    def __init__(
        self, open_log: Callable[[], Log], settings: Settings, host: str, port: int, next_hop: NextHop | None
    ) -> None:
        self._open_log = open_log
        self._settings = settings
        self._host = host
        self._next_hop = next_hop
        self.mails = 0
        self._socket = open_socket(host, port, f"lmtp://{host_and_port(host, port)}", "choose another address or port")
        self.port: int = self._socket.getsockname()[1]

    def run(self, stop: Event, ready: Callable[[], None] = lambda: None) -> None:
        """Accept mails until `stop` is set; `ready` is called once the port listens. The caller handles signals.

        Raises KeyboardInterrupt if the log then does not answer in time.
        """
        path = asyncio.run(self._run(stop, ready))
        close_in_time(path)

    async def _run(self, stop: Event, ready: Callable[[], None]) -> MailPath:
        path = MailPath(self._open_log, self._settings, redelivers=True)
        heartbeat = HeartbeatWriter(path, FEED, member_of(f"lmtp://{host_and_port(self._host, self.port)}"))
        delivery = _Delivery(path, self._next_hop)
        loop = asyncio.get_running_loop()
        connect = partial(_Connection, delivery, self._settings, loop)
        start = partial(loop.create_server, connect, sock=self._socket, backlog=BACKLOG)
        await serve_until(stop, path, heartbeat, start, ready)
        # Mails in progress get their reply; the MTA delivers all others again.
        deadline = loop.time() + STOP_S
        while delivery.busy and loop.time() < deadline:
            await asyncio.sleep(0.02)
        delivery.close()
        self.mails = delivery.mails
        return path


class _Delivery:
    """Processes each mail: the handler of aiosmtpd's connections."""

    def __init__(self, path: MailPath, next_hop: NextHop | None) -> None:
        self._path = path
        self._next_hop = next_hop
        self._threads = ThreadPoolExecutor(MOST_PASSED_AT_ONCE, thread_name_prefix="next-hop")
        self.connections = 0
        self.busy = 0
        self.mails = 0

    def close(self) -> None:
        """Stop relaying mails."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def handle_DATA(self, server: LMTP, session: Session, envelope: Envelope) -> str:
        """The reply to a mail: a line for each recipient, or one for all."""
        self.busy += 1
        try:
            lines = await self._deliver(envelope)
        except ConsumerError as error:
            logger.warning("a mail was deferred: %s", error)
            lines = [f"{TRY_AGAIN}the log does not accept the mail; try again later"]
        finally:
            self.busy -= 1
        self.mails += 1
        return "\r\n".join(lines)

    async def handle_exception(self, error: Exception) -> str:
        """The reply after an unexpected exception: the MTA keeps the mail."""
        logger.error("a mail was deferred", exc_info=error)
        return f"{TRY_AGAIN}internal error; try again later"

    async def _deliver(self, envelope: Envelope) -> list[str]:
        raw = envelope.original_content or b""
        if self._next_hop is None:
            await self._path.deliver(raw[:MAX_READ_BYTES], wants_verdict=False)
            return ["250 2.0.0 the log has the mail"]
        verdict = unscorable(raw) or await self._path.deliver(raw, wants_verdict=True)
        normalized = with_crlf(raw)  # before forged fields are removed: the next hop may end a line at a bare CR
        mail = normalized if verdict is None else with_fields(normalized, verdict.fields)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads,
            pass_on,
            self._next_hop,
            "" if envelope.mail_from in (None, "<>") else envelope.mail_from,
            list(envelope.rcpt_tos),
            list(envelope.mail_options),
            mail,
        )


class _Connection(LMTP):
    """A connection of an MTA; a single reply to a mail is repeated for each recipient, as LMTP requires."""

    line_length_limit = MAX_LINE_BYTES

    def __init__(self, delivery: _Delivery, settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            delivery,
            data_size_limit=MAX_PASSED_BYTES,
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

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        # As the MTA wrote it. The base class decodes encoded words, so its address may be one the MTA has not checked.
        found = _ADDRESS.fullmatch(arg.strip())
        return (found[1] or "<>", found[2]) if found else (None, None)

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
