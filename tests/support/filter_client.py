"""Requests to a running filter, as raw bytes or HTTP, and the input and exit statuses of its commands."""

from __future__ import annotations

import http.client
import json
import socket

PATIENCE_S = 120.0
SPAM, HAM, UNSURE, ERROR = 0, 1, 2, 3
"""Exit statuses of `classify`."""


def talk(port: int, *pieces: bytes) -> bytes:
    """Send raw bytes, close the sending side, and return the reply."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        for piece in pieces:
            connection.sendall(piece)
        connection.shutdown(socket.SHUT_WR)
        reply = b""
        while more := connection.recv(65_536):
            reply += more
    return reply


def post(port: int, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict]:
    """Post a body; return status and JSON of the response. `_` in the names of headers stands for a hyphen."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    return answer.status, content


def get(port: int, path: str) -> tuple[int, bytes]:
    """Status and body of the response."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def mbox(*mails: bytes) -> bytes:
    """Mails as one mbox."""
    return b"".join(b"From a@b Mon Jan  1 00:00:00 2024\n" + mail.rstrip(b"\n") + b"\n\n" for mail in mails)
