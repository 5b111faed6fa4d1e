"""An mbox: mails one after another, each after a ``From `` line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from io import BytesIO
from typing import BinaryIO

from stream_nb.mail.limits import MAX_MAIL_BYTES

from ...errors import UserError

MAX_READ_BYTES = MAX_MAIL_BYTES + 1
"""How many bytes of a larger mail are read: one more than a worker accepts, so that it quarantines the mail."""

_QUOTED_FROM = re.compile(rb">+From ")
_CERTAIN_FROM = re.compile(rb"From (?:\s*\Z|(?=.*\d:\d\d).*\b(?:19|20)\d\d\b)")  # Thunderbird's has no date
_FIRST_LINE = re.compile(rb"[!-9;-~]+[ \t]*:|>?From ")
_STATUS = re.compile(rb"X-Mozilla-Status: ([0-9a-fA-F]{4})\s")
_BEFORE_STATUS = (b"X-Account-Key: ", b"X-UIDL: ")  # Thunderbird's fields above the status in POP3 accounts
_STATUS_LINES, _STATUS_BYTES = 3, 30
_EXPUNGED = 8  # Thunderbird's mark of a deleted or moved mail, which stays in the file until that is compacted


def split_mbox(lines: Iterable[bytes]) -> Iterator[bytes]:
    r"""The mails of an mbox with these `lines`, from `read_lines`, without their ``From `` lines and with ``>From ``
    unquoted by one ``>``.

    A ``From `` line starts a mail at the start of the file, and after a blank line if it has a date or nothing else, or
    if a header field follows: not every program quotes such lines in a mail's text. Mails are truncated to
    `MAX_READ_BYTES`. Mails that Thunderbird has marked as deleted are left out.

    >>> list(split_mbox([b"From a\n", b"Subject: x\n", b"\n", b">From me\n", b"\n", b"From b\n", b"Subject: y\n"]))
    [b'Subject: x\n\nFrom me\n', b'Subject: y\n']
    """
    mail: list[bytes] | None = None
    size = 0
    for begins, line in _marked(lines):
        if begins:
            if mail is not None and not _deleted(mail):
                yield _joined(mail)
            mail, size = [], 0
            continue
        if mail is None:
            mail = []
        if size <= MAX_READ_BYTES:
            mail.append(line[1:] if line.startswith(b">") and _QUOTED_FROM.match(line) else line)
            size += len(mail[-1])
    if mail is not None and not _deleted(mail):
        yield _joined(mail)


def mails_in(file: bytes) -> list[bytes]:
    """The mails of an mbox with several mails, else the bytes of `file` as one mail.

    >>> mails_in(b"From a\\nSubject: x\\n\\nFrom b\\nSubject: y\\n")
    [b'Subject: x\\n', b'Subject: y\\n']
    """
    several = file.startswith(b"From ") and sum(begins for begins, _ in _marked(BytesIO(file))) > 1
    return list(split_mbox(BytesIO(file))) if several else [file]


def mail_spans(stream: BinaryIO) -> list[tuple[int, int]]:
    """The byte offsets of the start and the end of each mail of an mbox; `stream` is at its first ``From `` line."""
    starts: list[int] = []
    firsts: list[list[bytes]] = []
    position = stream.tell()
    for begins, line in _marked(read_lines(stream)):
        if begins:
            starts.append(position)
            firsts.append([])
        elif len(firsts[-1]) < _STATUS_LINES:
            firsts[-1].append(line[:_STATUS_BYTES])
        position += len(line)
    spans = zip(starts, [*starts[1:], position], strict=True)
    return [span for span, lines in zip(spans, firsts, strict=True) if not _deleted(lines)]


def mail_at(stream: BinaryIO, span: tuple[int, int], name: str) -> bytes:
    """The mail at a `span` from `mail_spans` of an mbox, open as `stream` at any position. Raises UserError with the
    file's `name` if the mail is no longer there."""
    start, end = span
    stream.seek(start)
    # twice the limit, because unquoting removes bytes
    content = stream.read(min(end - start, 2 * MAX_READ_BYTES))
    if not content.startswith(b"From "):
        raise UserError(f"{name} changed while it was read; close the mail program, or use a copy of the file")
    return next(split_mbox(BytesIO(content)), b"")


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines of `stream` of at most `MAX_READ_BYTES`, so that a file without line endings is not read at once."""
    return iter(partial(stream.readline, MAX_READ_BYTES), b"")


def _marked(lines: Iterable[bytes]) -> Iterator[tuple[bool, bytes]]:
    """Each line, and whether it is a ``From `` line that starts a mail."""
    blank = first = True
    rest = iter(lines)
    for line in rest:
        begins = blank and line.startswith(b"From ")
        if begins and not first and not _CERTAIN_FROM.match(line):
            after = next(rest, b"")
            yield _FIRST_LINE.match(after) is not None, line
            begins, line = False, after
        first = False
        blank = line in (b"\n", b"\r\n")
        yield begins, line


def _deleted(mail: list[bytes]) -> bool:
    """Whether a mail begins with Thunderbird's mark of a deleted mail; below other fields a sender may have set it."""
    first = next((line for line in mail[:_STATUS_LINES] if not line.startswith(_BEFORE_STATUS)), b"")
    status = _STATUS.match(first)
    return status is not None and bool(int(status[1], 16) & _EXPUNGED)


def _joined(lines: list[bytes]) -> bytes:
    """The mail, without the blank line that belongs to the next ``From ``."""
    if len(lines) > 1 and lines[-1] in (b"\n", b"\r\n"):
        lines = lines[:-1]
    return b"".join(lines)[:MAX_READ_BYTES]
