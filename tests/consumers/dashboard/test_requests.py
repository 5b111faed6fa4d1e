"""Any path, query, header or body gets a status below 500, without a traceback."""

from __future__ import annotations

import http.client
import itertools
import logging
import random
import socket
import threading
from contextlib import closing

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Mount, Route

from consumers.dashboard.app import create_app
from consumers.dashboard.limits import Limits
from consumers.dashboard.requests import UndoRequest, read_json
from tests.consumers.dashboard.conftest import settings_of
from tests.support import plain_http
from tests.support.own_loop import run_coroutine

TEXTS = (
    "", "0", "-1", "9" * 5_000, "1e9", "²", "٣", "%00", "%ff%fe", "%", "%zz", "../../etc/passwd", "..%2f..%2f",
    "a" * 20_000, "'\"><script>", "\u202e", "{}", "[]", "null", "NaN", "inf", ";", "&&=&", "=", "a=b", "\\",
    "//evil.example", "?", "#", "utf-8''x", "W/\"x\"", "bytes=0-0", "bytes=9-1", "bytes=-1", "bytes=0-0,1-1,x",
    "Thu, 99 Foo 0000 00:00:00 GMT",
)  # fmt: skip
"""Sent as path, query value, header value and body."""
HEADERS = (
    "Accept-Encoding", "Content-Encoding", "Content-Length", "Content-Type", "Cookie", "Expect", "If-Match",
    "If-Modified-Since", "If-None-Match", "If-Range", "Last-Event-ID", "Origin", "Range", "Referer", "Sec-Fetch-Site",
    "Transfer-Encoding", "Upgrade", "X-Forwarded-For", "X-HTTP-Method-Override", "X-Stream-NB",
)  # fmt: skip
WAITS = ("Content-Length", "Transfer-Encoding", "Expect")
"""With these the server waits for a body."""
QUERIES = ("partition", "offset", "text", "since", "token", "threshold", "smoothing", "unsure", "other")
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "FOO")


@pytest.fixture
def errors():
    """What the server logs of its own errors."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage() + str(record.exc_info or ""))

    handler = Lines(level=logging.ERROR)
    logging.getLogger("uvicorn.error").addHandler(handler)
    yield lines
    logging.getLogger("uvicorn.error").removeHandler(handler)


@pytest.fixture
def filled(stage):
    stage.mail("m1", "hello there")
    stage.reconcile()
    return stage


def paths() -> list[str]:
    """The paths of all routes."""
    app = create_app(
        lambda: None, settings_of(), threading.Event(), Limits()
    )  # no log is opened before the first request
    found = [route.path for route in app.routes if isinstance(route, Route | Mount)]
    assert len(found) > 10
    return sorted({*found, "/static/main.js"})


def ask(port: int, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> int:
    """The status of one request on a new connection; the body of an event stream is not read."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
        connection.putrequest(method, path, skip_accept_encoding="Accept-Encoding" in headers)
        for name, value in headers.items():
            connection.putheader(name, value.encode("utf-8"))
        if "Content-Length" not in headers and "Transfer-Encoding" not in headers:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        if method == "CONNECT":  # http.client treats everything after a successful CONNECT as a tunnel
            return connection.getresponse().status
        return connection.getresponse().status


def check(port: int, *request) -> None:
    try:
        status = ask(port, *request)
    except (http.client.HTTPException, ConnectionError):
        return  # the server closes the connection if the request is not HTTP
    assert status < 500, request


def clean(text: str) -> str:
    """Leave out what http.client itself refuses to send."""
    return "".join(c for c in text if c.isprintable() and c != " ").encode("ascii", "ignore").decode()


def test_each_route_answers_any_query_and_path(filled, errors):
    port = filled.server.port
    for path, text in itertools.product(paths(), TEXTS):
        check(port, "GET", f"{path}?{'&'.join(f'{name}={clean(text)}' for name in QUERIES)}", {})
        check(port, "GET", f"{path}/{clean(text)}", {})
    assert errors == []


def test_each_route_answers_any_header(filled, errors):
    port = filled.server.port
    for i, text in enumerate(TEXTS):
        for j, path in enumerate(paths()):
            names = (HEADERS[:7], HEADERS[7:14], HEADERS[14:])[(i + j) % 3]
            check(port, "GET", path, {name: text for name in names if name not in WAITS})
    for name, text in itertools.product(HEADERS, TEXTS):
        if name not in WAITS:
            check(port, "GET", "/api/state", {name: text})
            check(port, "POST", "/api/label", {name: text})
    start_id = plain_http.get(f"{filled.server.url}api/page").json()["event_id"].partition("-")[0]
    for text in TEXTS:
        check(port, "GET", "/events", {"Last-Event-ID": f"{start_id}-{text}"})
    assert errors == []


def test_each_route_answers_any_method_and_body(filled, errors):
    port, rng = filled.server.port, random.Random(1)
    csrf = plain_http.get(f"{filled.server.url}api/page").json()["csrf"]
    bodies = (
        [text.encode() for text in TEXTS]
        + [rng.randbytes(n) for n in (1, 100, 10_000)]
        + [b"[" * 4_000, b'{"place":{"a":' + b"[" * 4_000]
    )
    ours = {"X-Stream-NB": csrf, "Content-Type": "application/json"}
    for path in paths():
        for method in METHODS:
            check(port, method, path, ours)
        for body in bodies:
            check(port, "POST", path, ours, body)
    assert errors == []


def test_a_request_that_is_not_http_does_no_harm(filled, errors):
    port, rng = filled.server.port, random.Random(2)
    chunk = b"POST /api/label HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 16
    for data in (
        b"\0" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000,
        chunk + b"\r\n",
        rng.randbytes(5_000),
    ):
        with closing(socket.create_connection(("127.0.0.1", port), timeout=120)) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):
                    pass
            except OSError:
                pass
    assert plain_http.get(f"{filled.server.url}api/state").status_code == 200
    assert errors == []


def test_a_body_that_ends_too_early_is_refused():
    async def receive() -> dict:
        return {"type": "http.disconnect"}

    request = Request({"type": "http", "method": "POST", "headers": [(b"content-length", b"9")]}, receive)
    with pytest.raises(HTTPException, match="400: the connection ended before the body"):
        run_coroutine(read_json(request, UndoRequest))
