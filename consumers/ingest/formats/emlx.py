"""Apple Mail's .emlx: a line with the mail's length, the mail, and a property list about it."""

from __future__ import annotations

import re

SUFFIX = ".emlx"
MAX_LENGTH_LINE = 32
"""Maximal length of the first line, in bytes."""

_LENGTH = re.compile(rb"([0-9]{1,10})[ \t]*\r?\n")


def emlx_mail(raw: bytes) -> bytes:
    r"""The mail in `raw`, the bytes of an .emlx file from its start; bytes that do not begin with a length are returned
    unchanged.

    >>> emlx_mail(b"12        \nSubject: x\n\n<?xml version=...")
    b'Subject: x\n\n'
    """
    found = _LENGTH.match(raw, 0, MAX_LENGTH_LINE)
    return raw if found is None else raw[found.end() : found.end() + int(found[1])]
