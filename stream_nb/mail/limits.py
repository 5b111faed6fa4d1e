"""What is cut from a mail before a parser sees it, because parsers are slow on it.

| input (measured before these caps)              | seconds | cap                                        |
|-------------------------------------------------|---------|--------------------------------------------|
| 544 kB of encoded words in one subject          | 13      | no more than 2,000 in a mail are decoded   |
| 1,000 `=?` before 9,500 `?=a` in one subject    | 15      | of many, those that begin no word are cut  |
| 11 MB folded header                             | 2.5     | 32 kB of header block, the rest is dropped |
| 48 MB body                                      | 0.15    | 1 MB a mail; more is refused               |
| broken base64, so that the fallback parser runs | 12      | 64 kB of the mail to the fallback          |

Largest header block of 6,046 mails of the SpamAssassin corpus: 15 kB, 99 % below 4.2 kB.
`tests/benchmarks/parsing.py --hostile` prints what the inputs cost with the caps.
"""

from __future__ import annotations

import re

from stream_nb.errors import MailError
from stream_nb.mail.headers import Header, KeptFields

MAX_MAIL_BYTES = 1_000_000
MAX_HEADER_BYTES = 32_000
MAX_ENCODED_WORDS = 2_000

_READ_BYTES = MAX_HEADER_BYTES + 998  # so that the longest name a line may have is seen whole
_FEW_MARKS = 50
_MOST_STEPS = 5_000
_LINE_ENDS = (b"\n", b"\r")
_BLANK_LINE = re.compile(rb"\n\r?\n")
_ANY_WORD = re.compile(rb"=\?")
_NO_WORD = re.compile(
    rb'(?<![^\s"(),<>])=\?(?![^\s?]{1,40}\?[bq]\?[^?\n]*\?=(?:[\s"(),<>]|\Z))',  # from where a word may stand on
    re.IGNORECASE,
)
_NO_FIELDS = KeptFields(())


def without_mbox_line(raw: bytes) -> bytes:
    """The mail without a leading mbox `From ` line, which is no header."""
    if raw.startswith((b"From ", b">From ")):
        return raw[raw.find(b"\n") + 1 or len(raw) :]
    return raw


def header_end(raw: bytes) -> int:
    """Where the header lines of a mail end: before the first line that is neither a field nor a continuation.

    That is the blank line in most mails, 0 in a text without fields, and -1 when 32 kB do not get there.
    """
    end = _NO_FIELDS.read(raw, _READ_BYTES).end
    return end if end <= MAX_HEADER_BYTES else -1


def header_block(raw: bytes) -> bytes:
    """The header lines of a mail, at most 32 kB of them, each whole (but for a single one that is longer)."""
    end = header_end(raw)
    return raw[:end] if end >= 0 else raw[: raw.rfind(b"\n", 0, MAX_HEADER_BYTES) + 1 or MAX_HEADER_BYTES]


def guarded(raw: bytes, kept: KeptFields = _NO_FIELDS) -> tuple[bytes, Header]:
    """The mail as a parser may have it, and its header, which ends before the blank line.

    That is at most 1 MB, at most 32 kB of header, no crowd of encoded words. A mail whose text follows its header
    without a blank line gets one. Raises MailError ``empty`` or ``oversized``.
    """
    if len(raw) > MAX_MAIL_BYTES:
        raise MailError("oversized", f"mail of {len(raw)} bytes, allowed are {MAX_MAIL_BYTES}")
    raw = without_mbox_line(raw)
    header = kept.read(raw, _READ_BYTES)
    end = header.end
    if end == 0 and not raw.strip():
        raise MailError("empty", "mail without any text")
    if end > MAX_HEADER_BYTES or raw[end : end + 1] not in _LINE_ENDS:
        if end <= MAX_HEADER_BYTES:
            head, text = raw[:end], raw[end:]
        else:
            head, text = header_block(raw), _after_blank_line(raw)
        if head and not head.endswith(b"\n"):
            head += b"\n"
        raw = head + b"\n" + text
        if len(head) != end:  # else it has been read already
            header = kept.read(raw, len(head))
    unwanted = _unwanted_words(raw)
    if unwanted is not None:
        head = unwanted.sub(b"= ?", raw[: header.end])
        raw = head + unwanted.sub(b"= ?", raw[header.end :])
        header = kept.read(raw, len(head))
    return raw, header


def _unwanted_words(raw: bytes) -> re.Pattern[bytes] | None:
    """The beginnings of encoded words that no parser may see: all of a crowd, or those without an end of their own.

    From each of these parsers look at all ends behind it. Most mails have too few question marks to ask further.
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
