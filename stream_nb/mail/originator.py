"""The originator of a mail: its mailing list (RFC 2919) or its sender (RFC 5322, section 3.6.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FIELDS = (
    ("list-id", re.compile(rb"<([^<>\s]+)>")),
    *((name, re.compile(rb"(?<![^\s<>\"',;:()@])[^\s<>\"',;:()@]+@[^\s<>\"',;:()@]+")) for name in ("sender", "from")),
)
_MOST_BYTES = 1000


def originator(texts: Mapping[str, bytes]) -> str:
    """Return the list in List-Id, else the address in Sender, else in From, in lower case; ``""`` if none is there.

    If a field has several, the last is returned, because a display name may look like an address. Only the first 1,000
    bytes of a field are read.

    Args:
        texts: The values of header fields, by lower-case name.

    >>> originator({"from": b'"ann@example.org" <Bob@Example.org>'})
    'bob@example.org'
    >>> originator({"from": b"Ann <ann@example.org>", "list-id": b"Our news <news.example.org>"})
    'news.example.org'
    >>> originator({"subject": b"hello"})
    ''
    """
    for name, form in _FIELDS:
        found = form.findall(texts.get(name, b"")[:_MOST_BYTES])
        if found:
            return found[-1].lower().decode("utf-8", "replace")
    return ""
