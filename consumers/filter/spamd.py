"""SpamAssassin's protocol (SPAMC 1.2 to 1.5), and rspamd's older one, which Exim speaks with variant=rspamd.

| command       | answer                                                                                      |
|---------------|---------------------------------------------------------------------------------------------|
| CHECK         | spam or not, score, threshold                                                               |
| SYMBOLS       | the same, and the names of the symbols                                                      |
| REPORT        | the same as CHECK, and a text with the words; REPORT_IFSPAM has the text only for spam      |
| PROCESS       | the mail with header fields added; HEADERS only its header                                  |
| TELL          | `Set: local` learns `Message-class`, `Remove: local` withdraws this user's label            |
| PING          | PONG                                                                                        |

Sources: PROTOCOL in the SpamAssassin distribution; spam.c of Exim, whose two parsers read the reply with sscanf.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
from typing import NamedTuple

from stream_nb.mail.fallback_parser import to_text
from stream_nb.mail.limits import MAX_MAIL_BYTES

from ..errors import BadRecord, ConsumerError
from ..records.mail_id import ID_HEADER
from .access import refusal
from .content_encoding import inflated
from .dialect import MAX_BODY_BYTES, MAX_REQUEST_HEADER_BYTES, READ_BYTES, READ_S, SEND_S, Dialect
from .headers import header_of, with_fields
from .verdict import REQUIRED, Verdict, thresholds

CHECKS = ("CHECK", "SYMBOLS", "REPORT", "REPORT_IFSPAM", "PROCESS", "HEADERS")
FLAG = "X-Spam-Flag"

_REQUEST_LINE = re.compile(rb"([A-Z_]{1,20}) (R?SPAMC)/(\d{1,3})\.(\d{1,3})\s*", re.ASCII)


class Refused(Exception):
    """A request that is answered with an error code: its `name` in sysexits.h (EX_DATAERR, EX_TEMPFAIL, EX_PROTOCOL or
    EX_NOPERM), and a `text` with the reason, for people."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.line = f"SPAMD/1.1 {getattr(os, name)} {name} {text}\r\n".encode()


class Request(NamedTuple):
    """One request; `body` is truncated to one byte more than the largest mail."""

    command: str
    is_rspamc: bool
    version: tuple[int, int]
    headers: dict[str, str]
    body: bytes


class SpamdDialect(Dialect):
    """Answers the one request of a connection from `peer`."""

    async def serve(self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the request; `first` is its first line, which has been read already."""
        try:
            async with asyncio.timeout(READ_S):
                request = await _read(first, reader)
            reply = await self._answer(request)
        except Refused as refused:
            reply = refused.line
        writer.write(reply)
        async with asyncio.timeout(SEND_S):
            await writer.drain()

    async def _answer(self, request: Request) -> bytes:
        if request.command == "PING":
            return b"SPAMD/1.5 0 PONG\r\n"
        if request.command == "TELL":
            return await self._tell(request)
        if request.command not in CHECKS:
            raise Refused("EX_PROTOCOL", f"{request.command} is not served; use {', '.join(CHECKS)}, TELL or PING")
        if len(request.body) > MAX_MAIL_BYTES and request.command in ("PROCESS", "HEADERS"):
            raise Refused("EX_DATAERR", f"a mail of more than {MAX_MAIL_BYTES} bytes is not sent back")
        verdict = await self._mails.check(request.body)
        return self._rspamd_reply(verdict) if request.is_rspamc else _spamd_reply(request, verdict)

    async def _tell(self, request: Request) -> bytes:
        settings = self._settings.filter
        refused = refusal(request.headers.get("password", ""), self._peer, settings)
        if refused is not None:
            raise Refused("EX_NOPERM", refused)
        if len(request.body) > MAX_MAIL_BYTES or not request.body.strip():
            raise Refused("EX_DATAERR", f"a mail to learn must have 1 to {MAX_MAIL_BYTES} bytes")
        learns = "local" in request.headers.get("set", "").replace(",", " ").split()
        forgets = "local" in request.headers.get("remove", "").replace(",", " ").split()
        if learns == forgets:
            raise Refused("EX_DATAERR", "TELL needs either Set: local or Remove: local")
        label = request.headers.get("message-class") if learns else None
        if learns and not label:
            raise Refused("EX_DATAERR", "Set needs a Message-class")
        source = request.headers.get("user") or settings.source
        try:
            learned = await self._mails.learn(request.body, label, source, forget=forgets)
        except BadRecord as error:
            raise Refused("EX_DATAERR", error.detail) from error
        except ConsumerError as error:
            raise Refused("EX_TEMPFAIL", str(error)) from error
        did = "" if learned is None else "DidSet: local\r\n" if learns else "DidRemove: local\r\n"
        return f"SPAMD/1.1 0 EX_OK\r\n{did}Content-length: 0\r\n\r\n".encode()

    def _rspamd_reply(self, verdict: Verdict) -> bytes:
        """Exim parses this with ``RSPAMD/%7s 0 EX_OK Metric: default; %7s %lf / %lf / %lf`` and then ``Action: ``."""
        reject = thresholds(self._settings.filter).get("reject", 1_000.0)
        lines = [
            "RSPAMD/1.3 0 EX_OK",
            f"Metric: default; {verdict.is_spam}; {verdict.score:.2f} / {REQUIRED:.2f} / {reject:.2f}",
            f"Action: {verdict.action}",
            f"Symbol: {verdict.symbol.name}({verdict.symbol.score:.2f})",
            *_fields(verdict),
        ]
        return "".join(f"{line}\r\n" for line in lines).encode()


async def _read(first: bytes, reader: asyncio.StreamReader) -> Request:
    found = _REQUEST_LINE.fullmatch(first)
    if found is None:
        raise Refused("EX_PROTOCOL", "the first line is neither HTTP nor COMMAND SPAMC/version")
    command, version = found[1].decode(), (int(found[3]), int(found[4]))
    headers = await _read_headers(reader)
    body = await _read_body(reader, headers.get("content-length")) if command != "PING" else b""
    if headers.get("compress", "").lower() == "zlib":
        try:
            body = inflated(body)
        except ValueError as error:
            raise Refused("EX_DATAERR", str(error)) from error
    return Request(command, found[2] == b"RSPAMC", version, headers, body)


async def _read_headers(reader: asyncio.StreamReader) -> dict[str, str]:
    headers: dict[str, str] = {}
    too_large = Refused("EX_PROTOCOL", f"a header of more than {MAX_REQUEST_HEADER_BYTES} bytes is not read")
    size = 0
    while True:
        try:
            raw = await reader.readline()
        except ValueError as error:  # the line exceeds the reader's limit
            raise too_large from error
        size += len(raw)
        if size > MAX_REQUEST_HEADER_BYTES:
            raise too_large
        line = to_text(raw).strip()
        if not line:
            return headers
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()


async def _read_body(reader: asyncio.StreamReader, length: str | None) -> bytes:
    """Read `length` bytes, or up to EOF or `MAX_BODY_BYTES`; return at most one byte more than the largest mail has."""
    if length is not None and not (length.isascii() and length.isdigit() and len(length) < 12):
        raise Refused("EX_PROTOCOL", f"Content-length {length[:40]!r} is not a number of bytes")
    left = MAX_BODY_BYTES if length is None else int(length)
    if left > MAX_BODY_BYTES:
        raise Refused("EX_DATAERR", f"a body of more than {MAX_BODY_BYTES} bytes is not read")
    body = bytearray()
    while left and (piece := await reader.read(min(left, READ_BYTES))):
        left -= len(piece)
        body += piece[: MAX_MAIL_BYTES + 1 - len(body)]
    if left and length is not None:
        raise Refused("EX_PROTOCOL", f"Content-length is {length}, {int(length) - left} bytes arrived")
    return bytes(body)


def _spamd_reply(request: Request, verdict: Verdict) -> bytes:
    """Exim sends version 1.2 and needs an empty line right after ``Spam:``; from 1.3 on there is a Content-length.

    Scores have one decimal, as in spamd, because Haraka reads no other. They are rounded down, so that no ham reaches
    `REQUIRED`.
    """
    score = math.floor(verdict.score * 10) / 10
    spam = f"Spam: {verdict.is_spam} ; {score:.1f} / {REQUIRED:.1f}\r\n".encode()
    body = _body(request, verdict)
    if request.command in ("PROCESS", "HEADERS") and request.version < (1, 3):
        spam = b""
    length = b""
    if spam == b"" or (request.version >= (1, 3) and request.command != "CHECK"):
        length = b"Content-length: %d\r\n" % len(body)
    return b"SPAMD/1.1 0 EX_OK\r\n" + length + spam + b"\r\n" + body


def _body(request: Request, verdict: Verdict) -> bytes:
    command = request.command
    if command in ("PROCESS", "HEADERS"):
        mail = with_fields(request.body, _mail_fields(verdict), removed=[FLAG])
        return mail if command == "PROCESS" else header_of(mail)
    if command == "SYMBOLS":
        return f"{verdict.symbol.name}\r\n".encode()
    if command == "REPORT" or (command == "REPORT_IFSPAM" and verdict.is_spam):
        lines = [verdict.symbol.description, *_fields(verdict)]
        return "".join(f"{line}\r\n" for line in lines).encode()
    return b""


def _mail_fields(verdict: Verdict) -> list[tuple[str, str]]:
    """The fields that users of SpamAssassin filter on, and our own.

    They follow SpamAssassin's: rspamd, which may ask spamd, fails without ``autolearn`` after the tests, and
    spamass-milter takes a mail with a flag for spam, whatever its value.
    """
    yes = "Yes" if verdict.is_spam else "No"
    status = f"{yes}, score={verdict.score:.2f} required={REQUIRED:.2f} tests={verdict.symbol.name} autolearn=no"
    flag = [(FLAG, "YES")] if verdict.is_spam else []
    return [*flag, ("X-Spam-Status", status), *verdict.fields]


def _fields(verdict: Verdict) -> list[str]:
    """Our header fields as lines, with the id first, because an MTA may extract it from the report."""
    fields = sorted(verdict.fields, key=lambda field: field[0] != ID_HEADER)
    return [f"{name}: {value}" for name, value in fields]
