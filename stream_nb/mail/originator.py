"""Whom a mail comes from: a mailing list (RFC 2919), or who sent it (RFC 5322, section 3.6.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FIELDS = (
    ("list-id", re.compile(rb"<([^<>\s]+)>")),
    *((name, re.compile(rb"(?<![^\s<>\"',;:()@])[^\s<>\"',;:()@]+@[^\s<>\"',;:()@]+")) for name in ("sender", "from")),
)
_MOST_BYTES = 1000


def originator(texts: Mapping[str, bytes]) -> str:
    """The list in List-Id, else the address in Sender, else that in From, in lower case; ``""`` without one.

    Of several it is the last, since a name before an address may be written like one. Only the first 1,000 bytes of a
    field are read.

    Args:
        texts: The values of header fields by their names in lower case.

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
