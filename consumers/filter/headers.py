"""Adds header fields to a scored mail, and removes those that a sender forged.

`stream-nb classify` imports this for every mail, so it imports nothing slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_BLANK_LINE = re.compile(rb"^\r?\n", re.MULTILINE)
FIELD_CHARS = 900
"""Values are truncated to this length, because a header line must have at most 998 characters."""


def header_value(text: str) -> str:
    r"""Any `text` as a value for one header line: ASCII without controls, other characters as ``\u`` escapes, truncated
    to `FIELD_CHARS`.

    >>> print(header_value("gr\u00fc\u00dfe\r\nBcc: all"))
    gr\xfc\xdfe??Bcc: all
    """
    plain = text.encode("ascii", "backslashreplace").decode()[:FIELD_CHARS]
    return plain if plain.isprintable() else "".join(c if c.isprintable() else "?" for c in plain)


def with_fields(raw: bytes, fields: Iterable[tuple[str, str]], removed: Iterable[str] = ()) -> bytes:
    r"""The `raw` mail (RFC 5322) with these `fields` (names and values) at the top, and without other fields of these
    names, of those in `removed`, or named ``X-Stream-NB*``.

    >>> with_fields(b"X-Stream-NB-Id: forged\r\nSubject: a\r\n\r\nhi", [("X-Stream-NB", "spam")])
    b'X-Stream-NB: spam\r\nSubject: a\r\n\r\nhi'
    >>> with_fields(b"Subject: a\n\nX-Stream-NB: b", [("X-Stream-NB", "ham")])
    b'X-Stream-NB: ham\nSubject: a\n\nX-Stream-NB: b'
    """
    start = raw.find(b"\n") + 1 if raw.startswith(b"From ") else 0
    mail = raw[start:]
    end = b"\r\n" if mail[: mail.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    found = _BLANK_LINE.search(mail)
    split = found.start() if found else len(mail)
    added = dict(fields)
    names = "|".join(["x-stream-nb[\\w-]*", *map(re.escape, (*added, *removed))]).encode()
    forged = re.compile(rb"^(?:" + names + rb")[ \t]*:.*\n?(?:[ \t].*\n?)*", re.IGNORECASE | re.MULTILINE)
    ours = b"".join(f"{name}: {header_value(value)}".encode() + end for name, value in added.items())
    return raw[:start] + ours + forged.sub(b"", mail[:split]) + mail[split:]


def header_of(raw: bytes) -> bytes:
    """The header of a `raw` mail (RFC 5322), including the blank line after it."""
    found = _BLANK_LINE.search(raw)
    return raw[: found.end()] if found else raw
