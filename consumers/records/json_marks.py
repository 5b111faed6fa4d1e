"""The first bytes of a value on `emails` tell JSON from a raw mail, also if a producer wrote the JSON with a mistake.

A raw mail does not begin with ``{``: no header field does. Nor do header fields begin like the other values here: JSON
that was encoded twice, a list of objects, and what a schema registry's serializer writes. They are bad JSON, because
as raw mails they would be scored and learned, and nobody would notice.
"""

from __future__ import annotations

from codecs import BOM_UTF8

from ..errors import BadRecord

_MARKS = (b"{", BOM_UTF8 + b"{", b'"{\\"', b'[{"')
SCHEMA_BYTES = 5
"""Bytes that a schema registry's serializer puts before the value: 0, and the number of the schema."""


def is_json(value: bytes) -> bool:
    """Whether a value is meant as JSON; else it is a raw mail.

    Args:
        value: The value of a record of `emails`.

    >>> is_json(b'{"id": "a"}'), is_json(b"Subject: a")
    (True, False)
    """
    return value.startswith(_MARKS) or _has_schema(value)


def unmarked(value: bytes) -> bytes:
    """JSON without a byte order mark, which .NET and PowerShell write and readers may ignore (RFC 8259, 8.1).

    Args:
        value: JSON.

    Raises:
        BadRecord: `bad-json`: a schema registry's serializer wrote the value.
    """
    if _has_schema(value):
        serializer = f"{SCHEMA_BYTES} bytes of a schema registry's serializer before the JSON"
        raise BadRecord("bad-json", f"{serializer}: write the JSON alone, with the serializer of strings or bytes")
    return value.removeprefix(BOM_UTF8)


def _has_schema(value: bytes) -> bool:
    return value.startswith(b"\0") and value[SCHEMA_BYTES : SCHEMA_BYTES + 1] == b"{"
