"""rspamd's HTTP protocol, spoken by its clients, Haraka, and its milter proxy for Postfix.

| request                             | answer                                                                     |
|-------------------------------------|----------------------------------------------------------------------------|
| POST (or GET) /checkv2              | JSON: score, action, symbols with the words, header fields for the milter  |
| POST /learnspam, /learnham          | learns the mail in the body                                                |
| POST /learnclass with `Class: name` | the same for any class                                                     |
| GET, HEAD /ping, /stat, /metrics    | pong; counters as JSON; counters for Prometheus                            |

Source: https://rspamd.com/doc/developers/protocol.html
"""

from __future__ import annotations

import asyncio
import re
import time
from http import HTTPStatus
from typing import NamedTuple

import h11
import msgspec

from stream_nb.mail import message_id
from stream_nb.mail.fallback_parser import to_text
from stream_nb.mail.limits import MAX_MAIL_BYTES, header_block

from ..errors import BadRecord, ConsumerError
from ..settings import Settings
from .access import refusal
from .content_encoding import decoded
from .dialect import MAX_BODY_BYTES, MAX_REQUEST_HEADER_BYTES, READ_BYTES, READ_S, SEND_S, Dialect
from .path import MailPath
from .verdict import FIELD_NAMES, REQUIRED, Verdict, thresholds

STATUS_PATHS = ("/ping", "/stat", "/metrics")
LEARN = {"/learnspam": "spam", "/learnham": "ham", "/learnclass": None}
_SUBJECT = re.compile(rb"^subject[ \t]*:((?:.*\n?)(?:[ \t].*\n?)*)", re.IGNORECASE | re.MULTILINE)
_encode = msgspec.json.Encoder().encode


class Answer(NamedTuple):
    """Status, content type and body."""

    status: int
    kind: str
    body: bytes


class Request(NamedTuple):
    """One request; its body is truncated to one byte more than the largest mail."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class RspamdDialect(Dialect):
    """Answers the HTTP requests of one connection from `peer`."""

    def __init__(self, mails: MailPath, settings: Settings, peer: str) -> None:
        super().__init__(mails, settings, peer)
        self._connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_REQUEST_HEADER_BYTES)
        self._wants_body = True

    async def serve(self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer all requests of the client; `first` are the bytes that have been read already."""
        connection = self._connection
        connection.receive_data(first)
        while True:
            try:
                async with asyncio.timeout(READ_S):
                    request = await self._read(reader, writer)
                if request is None:
                    return
                answer = await self._answer(request)
            except h11.RemoteProtocolError as error:
                answer = _error(error.error_status_hint, str(error))
            await self._send(answer, writer)
            if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                return
            connection.start_next_cycle()

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request | None:
        """The next request, or None if the client sends no more. Raises h11.RemoteProtocolError."""
        request: h11.Request | None = None
        self._wants_body = True
        body, size = bytearray(), 0
        while True:
            event = self._connection.next_event()
            if event is h11.NEED_DATA:
                if self._connection.they_are_waiting_for_100_continue:
                    writer.write(self._connection.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
                self._connection.receive_data(await reader.read(READ_BYTES))
            elif isinstance(event, h11.Request):
                request, fields = event, dict(event.headers)
                self._wants_body = event.method != b"HEAD"
                if {b"content-length", b"transfer-encoding"} <= fields.keys():  # a proxy may see another end
                    raise h11.RemoteProtocolError("give either Content-Length or Transfer-Encoding, not both", 400)
                _check_size(int(fields.get(b"content-length", 0)))
            elif isinstance(event, h11.Data):
                size += len(event.data)
                _check_size(size)
                body += event.data[: MAX_MAIL_BYTES + 1 - len(body)]
            elif isinstance(event, h11.EndOfMessage) and request is not None:
                headers = {name.decode("latin-1"): to_text(value) for name, value in request.headers}
                path = request.target.split(b"?")[0].decode("latin-1")
                return Request(request.method.decode("latin-1"), path, headers, bytes(body))
            else:
                return None

    async def _answer(self, request: Request) -> Answer:
        # Browsers add these headers. Refuse them, so that no web page can send labels to the filter of its visitor.
        if "origin" in request.headers or "sec-fetch-site" in request.headers:
            return _error(403, "this port is for mail servers, not for browsers")
        if request.path in STATUS_PATHS:
            return self._status(request.path) if request.method in ("GET", "HEAD") else _wrong_method("GET", request)
        if request.path != "/checkv2" and request.path not in LEARN:
            return _error(
                404, f"{request.path[:80]} is not served; use {', '.join(('/checkv2', *LEARN, *STATUS_PATHS))}"
            )
        # rspamd's own proxy sends a mail with GET.
        if request.method != "POST" and (request.method, request.path) != ("GET", "/checkv2"):
            return _wrong_method("POST", request)
        if request.method == "POST" and not {"content-length", "transfer-encoding"} & request.headers.keys():
            return _error(411, f"{request.path} needs a Content-Length: without it a request has no mail")
        if "key" in request.headers:
            return _error(415, "send the mail unencrypted: HTTPCrypt is not supported")
        try:
            request = request._replace(body=decoded(request.body, request.headers))
        except ValueError as error:
            return _error(415, str(error))
        if request.path == "/checkv2":
            started = time.monotonic()
            verdict = await self._mails.check(request.body)
            return _json(200, self._reply(verdict, request.body, time.monotonic() - started))
        return await self._learn(request)

    def _status(self, path: str) -> Answer:
        metrics = self._mails.metrics
        if path == "/ping":
            return Answer(200, "text/plain", b"pong\r\n")
        if path == "/metrics":
            return Answer(200, "text/plain; version=0.0.4; charset=utf-8", metrics.exposition())
        return _json(
            200,
            {
                "version": "stream_nb",
                "uptime": int(time.time() - metrics.started),
                "read_only": False,
                "scanned": metrics.scanned,
                "learned": metrics.learned,
                "spam_count": metrics.spam,
                "ham_count": metrics.ham,
                "actions": metrics.actions,
                "statfiles": [],
            },
        )

    async def _learn(self, request: Request) -> Answer:
        direct = not {"x-forwarded-for", "x-real-ip"} & request.headers.keys()
        settings = self._settings.filter
        refused = refusal(request.headers.get("password", ""), self._peer if direct else "", settings)
        if refused is not None:
            return _error(403, refused)
        label = LEARN[request.path] or request.headers.get("class", "")
        if len(request.body) > MAX_MAIL_BYTES or not request.body.strip():
            return _error(422, f"a mail to learn must have 1 to {MAX_MAIL_BYTES} bytes")
        try:
            learned = await self._mails.learn(request.body, label, request.headers.get("user") or settings.source)
        except BadRecord as error:
            header = "Class" if error.reason == "bad-label" else "User"
            return _error(400, f"{error.detail}; /learnclass reads it from the header {header}")
        except ConsumerError as error:
            return _error(503, str(error))
        return _json(
            200, {"success": True, "id": learned.id if learned else None, "found": learned.found if learned else None}
        )

    def _reply(self, verdict: Verdict, raw: bytes, seconds: float) -> dict[str, object]:
        settings = self._settings.filter
        symbol = verdict.symbol
        found = message_id(raw)
        reply: dict[str, object] = {
            "is_skipped": False,
            "score": round(verdict.score, 4),
            "required_score": REQUIRED,
            "action": verdict.action,
            "thresholds": thresholds(settings),
            "symbols": {
                symbol.name: {
                    "name": symbol.name,
                    "score": round(symbol.score, 4),
                    "metric_score": round(symbol.score, 4),
                    "description": symbol.description,
                    "options": symbol.options,
                }
            },
            "messages": {},
            "message-id": "undef" if found.startswith("sha256:") else found,
            "time_real": seconds,
            "milter": {
                "add_headers": {name: {"value": value, "order": 0} for name, value in verdict.fields},
                "remove_headers": dict.fromkeys(FIELD_NAMES, 0),
            },
            "stream_nb": {
                "id": verdict.id,
                "label": verdict.label,
                "probability": verdict.probability,
                "log_odds": verdict.log_odds,
            },
        }
        if verdict.action == "rewrite subject":
            reply["subject"] = settings.subject.replace("%s", _subject(raw))
        return reply

    async def _send(self, answer: Answer, writer: asyncio.StreamWriter) -> None:
        connection = self._connection
        headers = [("Content-Type", answer.kind), ("Content-Length", str(len(answer.body))), ("Server", "stream_nb")]
        reason = HTTPStatus(answer.status).phrase  # without one rspamc 3.12 crashes
        response = connection.send(h11.Response(status_code=answer.status, headers=headers, reason=reason.encode()))
        body = connection.send(h11.Data(data=answer.body if self._wants_body else b""))
        end = connection.send(h11.EndOfMessage())
        writer.write(b"".join(piece for piece in (response, body, end) if piece))
        async with asyncio.timeout(SEND_S):
            await writer.drain()


def _check_size(size: int) -> None:
    if size > MAX_BODY_BYTES:
        raise h11.RemoteProtocolError(f"body of more than {MAX_BODY_BYTES} bytes", 413)


def _subject(raw: bytes) -> str:
    """The raw subject, with its encoded words, unfolded to one line."""
    found = _SUBJECT.search(header_block(raw))
    return " ".join(found[1].decode("utf-8", "replace").split()) if found else ""


def _json(status: int, content: dict[str, object]) -> Answer:
    return Answer(status, "application/json", _encode(content))


def _error(status: int, text: str) -> Answer:
    return _json(status, {"error": text})


def _wrong_method(needed: str, request: Request) -> Answer:
    return _error(405, f"{request.path} needs {needed}, not {request.method[:40]}")
