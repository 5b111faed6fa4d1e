r"""Content-Transfer-Encoding fields in a form that the fast parser reads.

Mail programs ignore white space, quotes and comments around the encoding's name. The fast parser would leave the text
encoded, so that the model saw none of its words.
"""

from __future__ import annotations

import re

_NAME = b"content-transfer-encoding:"
_VALUE = rb'[ \t]*(?:\r?\n[ \t]+)?"?(base64|quoted-printable)(?![\w-])[^\r\n]*'
_ODD_VALUE = re.compile(rb"(?! ?(?:base64|quoted-printable)\r?\n)" + _VALUE)
_FIELD = re.compile(b"(" + _NAME + b")" + _VALUE, re.IGNORECASE)


def with_plain_encodings(raw: bytes, header_end: int | None = None) -> bytes:
    r"""Return a mail in which each Content-Transfer-Encoding of base64 or quoted-printable has only that name.

    Only a multipart mail has such fields beyond `header_end`.

    >>> with_plain_encodings(b'Content-Transfer-Encoding:\n "BASE64"; x\n\naGk=')
    b'Content-Transfer-Encoding: BASE64\n\naGk='
    """
    lower = raw[:header_end].lower()
    if b"multipart" in lower:
        lower = raw.lower()
    found = lower.find(_NAME)
    while found >= 0:
        value = found + len(_NAME)
        if _ODD_VALUE.match(lower, value):
            return _FIELD.sub(rb"\1 \2", raw)  # slow, because it ignores case
        found = lower.find(_NAME, value)
    return raw
