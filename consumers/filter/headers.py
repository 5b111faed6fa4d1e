"""Header fields put on a mail that was scored, and those that a stranger put there taken off.

`stream-nb classify` loads this for every mail, so it imports nothing that takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_BLANK_LINE = re.compile(rb"^\r?\n", re.MULTILINE)
FIELD_CHARS = 900
"""Of a value no more is written: a header line must stay below 998 characters."""


def header_value(text: str) -> str:
    r"""A value for one header line: ASCII without controls, other characters as ``\u`` escapes.

    Args:
        text: Any text; what is longer than `FIELD_CHARS` is cut.

    >>> print(header_value("gr\u00fc\u00dfe\r\nBcc: all"))
    gr\xfc\xdfe??Bcc: all
    """
    plain = text.encode("ascii", "backslashreplace").decode()
    return "".join(c if c.isprintable() else "?" for c in plain)[:FIELD_CHARS]


def with_fields(raw: bytes, fields: Iterable[tuple[str, str]]) -> bytes:
    r"""The mail with these fields on top, and without any that came under their names, or under ours.

    Args:
        raw: RFC 5322 bytes of the mail.
        fields: Names and values (see `header_value`), from the top on.

    >>> with_fields(b"X-Stream-NB-Id: forged\r\nSubject: a\r\n\r\nhi", [("X-Stream-NB", "spam")])
    b'X-Stream-NB: spam\r\nSubject: a\r\n\r\nhi'
    """
    start = raw.find(b"\n") + 1 if raw.startswith(b"From ") else 0
    mail = raw[start:]
    end = b"\r\n" if mail[: mail.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    found = _BLANK_LINE.search(mail)
    split = found.start() if found else len(mail)
    added = dict(fields)
    names = "|".join(["x-stream-nb[\\w-]*", *map(re.escape, added)]).encode()
    taken = re.compile(rb"^(?:" + names + rb")[ \t]*:.*\n?(?:[ \t].*\n?)*", re.IGNORECASE | re.MULTILINE)
    ours = b"".join(f"{name}: {header_value(value)}".encode() + end for name, value in added.items())
    return raw[:start] + ours + taken.sub(b"", mail[:split]) + mail[split:]


def header_of(raw: bytes) -> bytes:
    """The header of a mail with its blank line.

    Args:
        raw: RFC 5322 bytes of the mail.
    """
    found = _BLANK_LINE.search(raw)
    return raw[: found.end()] if found else raw
