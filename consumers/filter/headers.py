"""Header fields put on a mail that was scored, and those of strangers that look like them taken off.

`stream-nb classify` loads this for every mail, so it imports nothing that takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_OURS = re.compile(
    rb"^(?:x-stream-nb[\w-]*|x-spam-(?:flag|status|level|report|checker-version))[ \t]*:.*\n?(?:[ \t].*\n?)*",
    re.IGNORECASE | re.MULTILINE,
)
_BLANK_LINE = re.compile(rb"^\r?\n", re.MULTILINE)
FIELD_CHARS = 900
"""Of a value no more is written: a header line must stay below 998 characters."""


def header_value(text: str) -> str:
    r"""A value for one header line: ASCII without controls, other characters as ``\u`` escapes.

    >>> print(header_value("gr\u00fc\u00dfe\r\nBcc: all"))
    gr\xfc\xdfe??Bcc: all
    """
    plain = text.encode("ascii", "backslashreplace").decode()
    return "".join(c if c.isprintable() else "?" for c in plain)[:FIELD_CHARS]


def with_fields(raw: bytes, fields: Iterable[tuple[str, str]]) -> bytes:
    r"""The mail with these fields on top, and without any that came under our names or SpamAssassin's.

    >>> with_fields(b"X-Spam-Flag: NO\r\nSubject: a\r\n\r\nhi", [("X-Stream-NB", "spam")])
    b'X-Stream-NB: spam\r\nSubject: a\r\n\r\nhi'
    """
    start = raw.find(b"\n") + 1 if raw.startswith(b"From ") else 0
    mail = raw[start:]
    end = b"\r\n" if mail[: mail.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    found = _BLANK_LINE.search(mail)
    split = found.start() if found else len(mail)
    ours = b"".join(f"{name}: {header_value(value)}".encode() + end for name, value in fields)
    return raw[:start] + ours + _OURS.sub(b"", mail[:split]) + mail[split:]


def header_of(raw: bytes) -> bytes:
    """The header of a mail with its blank line."""
    found = _BLANK_LINE.search(raw)
    return raw[: found.end()] if found else raw
