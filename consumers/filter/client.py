"""A client of a running filter, for our own commands.

Mail programs run these commands for each mail, so nothing slow is imported here: no numpy, no learner.
"""

from __future__ import annotations

import re
import socket
from typing import Any, NamedTuple

import msgspec

from ..errors import UNDECODABLE, FilterUnavailable, UserError
from ..runtime.addresses import host_and_port
from ..settings import FilterSettings

GRACE_S = 20.0
"""How much longer than its deadline the filter may take for an answer."""
UNLEARNABLE = b"HTTP/1.1 422 "
"""The start of the filter's response to a mail that cannot be learned."""
_FAILED = re.compile(rb"HTTP/1\.[01] 5")


class Reply(NamedTuple):
    """The verdict on one mail. `label` is None if there is none, and `detail` then has the reason; `fields` are the
    fields to add to its header."""

    label: str | None
    is_spam: bool
    probability: float
    score: float
    words: tuple[str, ...]
    fields: list[tuple[str, str]]
    detail: str


class FilterClient:
    """A client of the filter at the address in `settings`; methods raise UserError if it refuses, and FilterUnavailable
    if it does not answer or cannot write a label now."""

    def __init__(self, settings: FilterSettings) -> None:
        self._settings = settings
        self._where = host_and_port(settings.host, settings.port)

    def check(self, raw: bytes) -> Reply:
        """The filter's verdict on a mail, its `raw` bytes."""
        reply = self._post("/checkv2", raw)
        if "stream_nb" not in reply:
            raise UserError(f"{self._where} is another server, not a stream-nb filter; see `stream-nb filter`")
        (symbol,) = reply["symbols"].values()
        about = reply["stream_nb"]
        fields = [(name, field["value"]) for name, field in reply["milter"]["add_headers"].items()]
        return Reply(
            label=about["label"],
            is_spam=reply["score"] >= reply["required_score"],
            probability=about["probability"],
            score=reply["score"],
            words=tuple(symbol["options"]),
            fields=fields,
            detail=symbol["description"],
        )

    def learn(self, raw: bytes, label: str, source: str) -> bool:
        """Give a mail (`raw` bytes) the `label` of a `source`; return False if it is empty or too large to learn."""
        return bool(self._post("/learnclass", raw, Class=label, User=source).get("success"))

    def forget(self, raw: bytes, source: str) -> bool:
        """Withdraw a `source`'s label of a mail (`raw` bytes); return False if the filter does not know the mail."""
        head = f"TELL SPAMC/1.5\r\nRemove: local\r\n{self._fields(raw, User=source)}\r\n"
        status, _, headers = self._exchange(head.encode() + raw).partition(b"\r\n")
        if not (b" 0 EX_OK" in status or b" 65 EX_DATAERR" in status):
            kind = FilterUnavailable if b" 75 EX_TEMPFAIL" in status else UserError
            raise kind(f"filter {self._where}: {status.decode('utf-8', 'replace')[:200]}")
        return b"DidRemove" in headers

    def _post(self, path: str, raw: bytes, **headers: str) -> dict[str, Any]:
        answer = self._exchange(f"POST {path} HTTP/1.0\r\n{self._fields(raw, **headers)}\r\n".encode() + raw)
        head, _, body = answer.partition(b"\r\n\r\n")
        try:
            content = msgspec.json.decode(body, type=dict[str, Any])
        except UNDECODABLE as error:
            raise UserError(
                f"{self._where} is not a filter: it answered {head[:60]!r}; see `stream-nb filter`"
            ) from error
        if "error" in content and not head.startswith(UNLEARNABLE):
            kind = FilterUnavailable if _FAILED.match(head) else UserError
            raise kind(f"filter {self._where}: {content['error']}")
        return content

    def _fields(self, raw: bytes, **headers: str) -> str:
        fields = {"Content-Length": str(len(raw)), **headers}
        if "User" in headers and self._settings.password:
            fields["Password"] = self._settings.password
        for name, value in fields.items():
            if not value.isprintable():
                raise UserError(f"{name} {value!r} cannot be sent: use printable characters")
        return "".join(f"{name}: {value}\r\n" for name, value in fields.items())

    def _exchange(self, request: bytes) -> bytes:
        limit = self._settings.deadline_s + GRACE_S
        try:
            with socket.create_connection((self._settings.host, self._settings.port), timeout=limit) as connection:
                connection.sendall(request)
                answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        except (OSError, UnicodeError) as error:  # UnicodeError: a part of the host's name is empty, as in a..b
            reason = getattr(error, "strerror", None) or error
            raise FilterUnavailable(
                f"filter {self._where}: {reason}; start one with `stream-nb filter`, or name a model with --model"
            ) from error
        if not answer:
            raise FilterUnavailable(f"filter {self._where} has closed the connection without an answer; try again")
        return answer
