"""A running filter, asked by our own commands.

A mail client calls these for each mail, so nothing is imported here that takes long: no numpy, no learner.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..errors import UNDECODABLE, UserError
from ..settings import FilterSettings

MARGIN_S = 20.0
STDIN = "-"
SMALL_BYTES = 50_000
UNLEARNABLE = b"HTTP/1.1 422 "
"""What a filter answers about a mail that cannot be learned."""


class Reply(NamedTuple):
    """What is known about one mail: `label` is None when there is none, and `detail` then says why; `fields` are for
    its header."""

    label: str | None
    is_spam: bool
    probability: float
    score: float
    words: tuple[str, ...]
    fields: list[tuple[str, str]]
    detail: str


class FilterClient:
    """Asks the filter of the settings; raises UserError when it does not answer, or refuses."""

    def __init__(self, settings: FilterSettings) -> None:
        self._settings = settings
        self._where = f"{settings.host}:{settings.port}"

    def check(self, raw: bytes) -> Reply:
        """The filter's verdict on a mail.

        Args:
            raw: RFC 5322 bytes of the mail.
        """
        reply = self._post("/checkv2", raw)
        if "stream_nb" not in reply:
            raise UserError(f"{self._where} is no filter of ours, but another server; see `stream-nb filter`")
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
        """Label a mail; False for a mail that is empty or too large to learn.

        Args:
            raw: RFC 5322 bytes of the mail.
            label: The class.
            source: Who labels: a name for `sources`.
        """
        return bool(self._post("/learnclass", raw, Class=label, User=source).get("success"))

    def forget(self, raw: bytes, source: str) -> bool:
        """Withdraw this source's label of a mail; False when the filter knows no such mail.

        Args:
            raw: RFC 5322 bytes of the mail.
            source: Who labels: a name for `sources`.
        """
        head = f"TELL SPAMC/1.5\r\nRemove: local\r\n{self._fields(raw, User=source)}\r\n"
        status, _, rest = self._exchange(head.encode() + raw).partition(b"\r\n")
        if not (b" 0 EX_OK" in status or b" 65 EX_DATAERR" in status):
            raise UserError(f"filter {self._where}: {status.decode('utf-8', 'replace')[:200]}")
        return b"DidRemove" in rest

    def _post(self, path: str, raw: bytes, **headers: str) -> dict[str, Any]:
        answer = self._exchange(f"POST {path} HTTP/1.0\r\n{self._fields(raw, **headers)}\r\n".encode() + raw)
        head, _, body = answer.partition(b"\r\n\r\n")
        try:
            content = msgspec.json.decode(body, type=dict[str, Any])
        except UNDECODABLE as error:
            raise UserError(f"{self._where} is no filter: it answered {head[:60]!r}; see `stream-nb filter`") from error
        if "error" in content and not head.startswith(UNLEARNABLE):
            raise UserError(f"filter {self._where}: {content['error']}")
        return content

    def _fields(self, raw: bytes, **headers: str) -> str:
        fields = {"Content-Length": str(len(raw)), **headers}
        if "User" in headers and self._settings.password:
            fields["Password"] = self._settings.password
        for name, value in fields.items():
            if not value.isprintable():
                raise UserError(f"{name} {value!r} cannot be sent: give printable characters")
        return "".join(f"{name}: {value}\r\n" for name, value in fields.items())

    def _exchange(self, request: bytes) -> bytes:
        limit = self._settings.deadline_s + MARGIN_S
        try:
            with socket.create_connection((self._settings.host, self._settings.port), timeout=limit) as connection:
                connection.sendall(request)
                return b"".join(iter(lambda: connection.recv(65_536), b""))
        except OSError as error:
            raise UserError(
                f"filter {self._where}: {error.strerror or error}; start one with `stream-nb filter`, "
                "or name a model with --model"
            ) from error


def read_mails(paths: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The mails in files and folders with their names, standard input where none (or ``-``) is given.

    A file is one mail or an mbox; a folder is whatever `feed` reads. Raises UserError.

    Args:
        paths: Files and folders.
    """
    for path in paths or (STDIN,):
        if path != STDIN and Path(path).is_dir():
            from ..ingest.formats.detect import open_source

            yield from ((item.id, item.value) for item in open_source(path))
            continue
        raw = _read(path)
        if path.endswith(".emlx"):
            from ..ingest.formats.emlx import emlx_mail

            raw = emlx_mail(raw)
        # One mail behind a `From ` line is what mail programs pipe.
        if not raw.startswith(b"From ") or (b"\n\nFrom " not in raw and b"\r\n\r\nFrom " not in raw):
            yield path, raw
            continue
        from ..ingest.formats.mbox import split_mbox

        for number, mail in enumerate(split_mbox(raw.splitlines(keepends=True)), 1):
            yield f"{path}#{number}", mail


def is_small(mails: Sequence[tuple[str, bytes]]) -> bool:
    """Whether plain Python reads these mails sooner than it loads the compiler: at most one, of a usual size.

    Args:
        mails: Mails with their names, as `read_mails` gives them.
    """
    return len(mails) <= 1 and all(len(raw) <= SMALL_BYTES for _, raw in mails)


def read_one(paths: tuple[str, ...]) -> bytes:
    """All of the one file given, or of standard input, as one mail. Raises UserError for more than one.

    Args:
        paths: One file or none.
    """
    if len(paths) > 1:
        raise UserError(f"{len(paths)} files are given, and one mail is asked for")
    return _read(paths[0] if paths else STDIN)


def _read(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}; check the path and its permissions") from error
