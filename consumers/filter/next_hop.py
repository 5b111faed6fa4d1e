"""Relays a mail to the next mail server by SMTP or LMTP, and returns its reply for each recipient."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from ..errors import UserError
from ..runtime.addresses import host_and_port
from .headers import header_of

CONNECT_S = 30.0
REPLY_S = 300.0
QUIT_S = 1.0
MAX_REPLY_CHARS = 400


class NextHop(NamedTuple):
    """A mail server; `scheme` is smtp or lmtp, and a `host` that begins with ``/`` is a Unix socket for lmtp."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.scheme}://{host_and_port(self.host, self.port) if self.port else self.host}"


def parse_next_hop(url: str) -> NextHop:
    """Parse the `url` of a next hop: ``smtp://host:port``, ``lmtp://host:port`` or ``lmtp:///path/of/a/socket``. Raises
    UserError.

    >>> print(parse_next_hop("smtp://[::1]:10026"), parse_next_hop("lmtp:///run/dovecot/lmtp"))
    smtp://[::1]:10026 lmtp:///run/dovecot/lmtp
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 0
        host.encode("idna")  # raises for a name that cannot be looked up, as a..b
    except ValueError:
        parts, host, port = urlsplit(""), "", 0
    if parts.scheme == "lmtp" and not host and not port and len(parts.path) > 1:
        return NextHop("lmtp", parts.path, 0)
    if parts.scheme not in ("smtp", "lmtp") or not host or not port or parts.path or "@" in url:
        shown = "with a user or password" if "@" in url else repr(url)
        raise UserError(f"next hop {shown}: give smtp://host:port, lmtp://host:port or lmtp:///path/of/a/socket")
    return NextHop(parts.scheme, host, port)


def pass_on(hop: NextHop, sender: str, recipients: Sequence[str], options: Sequence[str], raw: bytes) -> list[str]:
    """Send a mail and wait for the replies.

    Args:
        sender: The envelope's sender, "" for a bounce.
        recipients: The envelope's recipients.
        options: Parameters of the sender's MAIL command; SMTPUTF8 and BODY=8BITMIME are passed on if they are offered.
        raw: The mail. All line endings become CRLF, so that no server finds an end of data inside the mail.

    Returns:
        One line for each recipient, which begins with the next hop's reply code, or 451 if there was no reply.
    """
    try:
        kind = smtplib.LMTP if hop.scheme == "lmtp" else smtplib.SMTP
        with closing(kind(local_hostname=socket.gethostname(), timeout=CONNECT_S)) as client:
            _connect(hop, client)
            replies = _converse(hop, client, sender, recipients, options, raw)
            # The replies are complete, so they wait neither long nor for a certain reply to QUIT.
            with suppress(OSError):
                if client.sock is not None:
                    client.sock.settimeout(QUIT_S)
                client.docmd("QUIT")
            return replies
    except OSError as error:  # the base class of smtplib's errors, too
        detail = _one_line(f"next hop {hop}: {error}")
        return [f"451 4.4.1 {detail}; try again later"] * len(recipients)


def _connect(hop: NextHop, client: smtplib.SMTP) -> None:
    code, text = client.connect(hop.host, hop.port)
    if code != 220:
        raise smtplib.SMTPConnectError(code, text)
    if client.sock is not None:
        client.sock.settimeout(REPLY_S)
    client.ehlo_or_helo_if_needed()


def _converse(
    hop: NextHop, client: smtplib.SMTP, sender: str, recipients: Sequence[str], options: Sequence[str], raw: bytes
) -> list[str]:
    client.command_encoding = "latin-1"  # sends the characters of `_octets` as the bytes that they stand for
    parameters = ""
    if "SMTPUTF8" in options:
        if client.has_extn("smtputf8"):
            parameters += " SMTPUTF8"
        elif not ("".join((sender, *recipients)).isascii() and header_of(raw).isascii()):
            return ["553 5.6.7 the next hop does not accept addresses or headers in UTF-8"] * len(recipients)
    if "BODY=8BITMIME" in options and client.has_extn("8bitmime"):
        parameters += " BODY=8BITMIME"
    code, text = client.docmd("MAIL", f"FROM:<{_octets(sender)}>{parameters}")
    if code == 530:  # it wants encryption or a login: a mistake in its settings is no reason to bounce mails
        raise OSError(_reply(code, text))
    if code // 100 != 2:
        return [_reply(code, text)] * len(recipients)
    answers = [client.docmd("RCPT", f"TO:<{_octets(recipient)}>") for recipient in recipients]
    accepted = [number for number, (code, _) in enumerate(answers) if code // 100 == 2]
    if accepted:
        code, text = client.docmd("DATA")
        if code == 354:
            client.send(_with_dots(raw))
            replies = _replies_to_mail(hop, client, len(accepted))
        else:
            replies = [(451 if code // 100 == 2 else code, text)] * len(accepted)
        for number, reply in zip(accepted, replies, strict=True):
            answers[number] = reply
    return [_reply(code, text) for code, text in answers]


def _octets(address: str) -> str:
    """The bytes of an address, which an MTA may send without announcing SMTPUTF8, each as one character."""
    return address.encode("utf-8", "surrogateescape").decode("latin-1")


def _replies_to_mail(hop: NextHop, client: smtplib.SMTP, recipients: int) -> list[tuple[int, bytes]]:
    """The reply for each recipient: LMTP has one for each, SMTP one for all.

    If the connection breaks after the first one, the replies until then count, because these recipients have the mail.
    """
    replies = [client.getreply()]
    if hop.scheme == "smtp":
        return replies * recipients
    try:
        while len(replies) < recipients:
            replies.append(client.getreply())
    except OSError as error:
        broken = 451, f"4.4.2 next hop {hop}: {error}; try again later".encode()
        replies += [broken] * (recipients - len(replies))
    return replies


def with_crlf(raw: bytes) -> bytes:
    """The `raw` mail with CRLF line endings, as SMTP requires; a bare CR or LF also counts as a line ending."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")


def _with_dots(raw: bytes) -> bytes:
    r"""The mail as sent after DATA: with CRLF, dot-stuffed, and terminated.

    >>> _with_dots(b"a\n.\nb"), _with_dots(b".a\r.b\r\n")
    (b'a\r\n..\r\nb\r\n.\r\n', b'..a\r\n..b\r\n.\r\n')
    """
    text = with_crlf(raw).replace(b"\n.", b"\n..")
    text = b"." + text if text.startswith(b".") else text
    return text + (b"" if text.endswith(b"\r\n") else b"\r\n") + b".\r\n"


def _reply(code: int, text: bytes) -> str:
    # A reply that is not final counts as a temporary failure, so that the mail is tried again.
    return f"{code if code // 100 in (2, 4, 5) else 451} {_one_line(text.decode('utf-8', 'replace'))}"


def _one_line(text: str) -> str:
    plain = text.encode("ascii", "backslashreplace").decode()
    return "".join(c if c.isprintable() else " " for c in plain)[:MAX_REPLY_CHARS]
