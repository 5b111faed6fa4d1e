"""Limits that are applied to a mail before parsing, because parsers are slow on hostile input.

| input (time without these limits)               | seconds | limit                                             |
|-------------------------------------------------|---------|---------------------------------------------------|
| 544 kB of encoded words in one subject          | 13      | none is decoded if a mail has more than 2,000     |
| 1,000 `=?` before 9,500 `?=a` in one subject    | 15      | of many `=?`, those that start no word are broken |
| 11 MB folded header                             | 2.5     | 32 kB of header block, the rest is dropped        |
| 48 MB body                                      | 0.15    | 1 MB per mail; larger mail is refused             |
| broken base64, so that the fallback parser runs | 12      | the fallback parser gets 64 kB of the mail        |

The largest header block of the 6,046 mails in the SpamAssassin corpus has 15 kB; 99 % are below 4.2 kB.
`tests/benchmarks/parsing.py --hostile` prints how long these inputs take with the limits.
"""

from __future__ import annotations

import re

from stream_nb.errors import MailError
from stream_nb.mail.headers import Header, KeptFields

MAX_MAIL_BYTES = 1_000_000
MAX_HEADER_BYTES = 32_000
MAX_ENCODED_WORDS = 2_000

_READ_BYTES = MAX_HEADER_BYTES + 998  # reads a field name whole that begins within the limit: a line has at most 998
_FEW_MARKS = 50
_MOST_STEPS = 5_000
_LINE_ENDS = (b"\n", b"\r")
_BLANK_LINE = re.compile(rb"\n\r?\n")
_ANY_WORD = re.compile(rb"=\?")
_NO_WORD = re.compile(
    rb'(?<![^\s"(),<>])=\?(?![^\s?]{1,40}\?[bq]\?[^?\n]*\?=(?:[\s"(),<>]|\Z))',  # only where a word may begin
    re.IGNORECASE,
)
_NO_FIELDS = KeptFields(())


def check_bytes(raw: object) -> None:
    """Raise TypeError for a mail that is not bytes."""
    if not isinstance(raw, bytes):
        raise TypeError(f"a mail of type {type(raw).__name__}: give bytes, as read from a file opened with 'rb'")


def without_mbox_line(raw: bytes) -> bytes:
    """Return the mail without a leading mbox `From ` line, which is not a header field."""
    if raw.startswith((b"From ", b">From ")):
        return raw[raw.find(b"\n") + 1 or len(raw) :]
    return raw


def header_end(raw: bytes) -> int:
    """Return the offset where the header ends: before the first line that is neither a field nor a continuation.

    In most mails that line is blank. The offset is 0 if there are no fields, and -1 if it is beyond 32 kB.
    """
    end = _NO_FIELDS.read(raw, _READ_BYTES).end
    return end if end <= MAX_HEADER_BYTES else -1


def header_block(raw: bytes) -> bytes:
    """Return the header lines that fit into 32 kB whole; of a single longer line, its first 32 kB."""
    end = header_end(raw)
    return raw[:end] if end >= 0 else raw[: raw.rfind(b"\n", 0, MAX_HEADER_BYTES) + 1 or MAX_HEADER_BYTES]


def guarded(raw: bytes, kept: KeptFields = _NO_FIELDS) -> tuple[bytes, Header]:
    """Return a mail that is safe to parse, and its header, which ends before the blank line.

    The mail has at most 1 MB, 32 kB of header and 2,000 encoded words. If the blank line between header and body is
    missing, it is inserted. If all lines end with a carriage return alone, they end with a line feed.
    Raises MailError ``empty`` or ``oversized``.
    """
    if len(raw) > MAX_MAIL_BYTES:
        raise MailError("oversized", f"mail of {len(raw)} bytes, at most {MAX_MAIL_BYTES} are allowed")
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    raw = without_mbox_line(raw)
    header = kept.read(raw, _READ_BYTES)
    end = header.end
    if end == 0 and not raw.strip():
        raise MailError("empty", "mail is empty")
    if end > MAX_HEADER_BYTES or raw[end : end + 1] not in _LINE_ENDS:
        if end <= MAX_HEADER_BYTES:
            head, text = raw[:end], raw[end:]
        else:
            head, text = header_block(raw), _after_blank_line(raw)
        if head and not head.endswith(b"\n"):
            head += b"\n"
        raw = head + b"\n" + text
        if len(head) != end:  # otherwise this header has been read already
            header = kept.read(raw, len(head))
    unwanted = _unwanted_words(raw)
    if unwanted is not None:
        head = unwanted.sub(b"= ?", raw[: header.end])
        raw = head + unwanted.sub(b"= ?", raw[header.end :])
        header = kept.read(raw, len(head))
    return raw, header


def _unwanted_words(raw: bytes) -> re.Pattern[bytes] | None:
    """Return the pattern of the `=?` to break up, or None.

    Parsers compare each `=?` with all `?=` after it. If there are more than 2,000 `=?`, all are broken up; if there are
    many pairs, only those that start no complete encoded word. Most mails have too few question marks for either.
    """
    if raw.count(b"?") <= _FEW_MARKS:
        return None
    begins = raw.count(b"=?")
    if begins > MAX_ENCODED_WORDS:
        return _ANY_WORD
    return _NO_WORD if begins * (_FEW_MARKS + raw.count(b"?=")) > _MOST_STEPS else None


def _after_blank_line(raw: bytes) -> bytes:
    found = _BLANK_LINE.search(raw)
    return b"" if found is None else raw[found.end() :]
