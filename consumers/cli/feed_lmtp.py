"""`stream-nb feed lmtp://host:port`: receive mail from an MTA until Ctrl-C."""

from __future__ import annotations

import logging
from functools import partial
from urllib.parse import urlsplit

from ..errors import UserError
from ..filter.lmtp import LmtpServer
from ..filter.next_hop import parse_next_hop
from ..records.number_text import many
from ..records.setup import open_ready_log
from ..runtime.log_lines import start_logging
from ..runtime.shutdown import stop_on_signals
from ..settings import Settings
from .messages import say


def feed_lmtp(settings: Settings, url: str, next_hop: str | None) -> None:
    """Listen at `url`; write mails to the log, and pass them on to `next_hop` if given. Raises UserError."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if not host or port is None or parts.path or "@" in parts.netloc:
        raise UserError(f"{url!r}: give the address to listen on as lmtp://host:port, as in lmtp://127.0.0.1:2424")
    hop = None if next_hop is None else parse_next_hop(next_hop)
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd logs a line for each command
    open_ready_log(settings, say).close()
    start_logging("feed")  # only now: a Kafka client that is closed at once logs its connections as broken
    stop = stop_on_signals()
    server = LmtpServer(partial(open_ready_log, settings, say, create=False), settings, host, port, hop)

    def ready() -> None:
        address = f"lmtp://{parts.netloc.rpartition(':')[0]}:{server.port}"
        onward = "" if hop is None else f" and passed on to {hop}"
        say(f"{address}: mails are written to {settings.log}{onward}; Ctrl-C stops")

    server.run(stop, ready)
    say(f"{many(server.mails, 'mail')} received")
