"""Apple Mail's .emlx: the mail's length in a line of its own, the mail, and a property list about it."""

from __future__ import annotations

import re

SUFFIX = ".emlx"
MAX_LENGTH_LINE = 32
"""Bytes that the first line may have."""

_LENGTH = re.compile(rb"([0-9]{1,10})[ \t]*\r?\n")


def emlx_mail(raw: bytes) -> bytes:
    r"""The mail in the bytes of an .emlx file; what does not begin with a length is given back as it is.

    Args:
        raw: The bytes of the file, from the first on.

    >>> emlx_mail(b"12        \nSubject: x\n\n<?xml version=...")
    b'Subject: x\n\n'
    """
    found = _LENGTH.match(raw, 0, MAX_LENGTH_LINE)
    return raw if found is None else raw[found.end() : found.end() + int(found[1])]
