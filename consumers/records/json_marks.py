"""The first bytes of a value on `emails` tell JSON from a raw mail, also if a producer wrote the JSON with a mistake.

A raw mail does not begin with ``{``: no header field does. Nor do header fields begin like the other values here: JSON
that was encoded twice, a list of objects, what a schema registry's serializers write, and UTF-16. They are bad JSON,
because as raw mails they would be scored and learned, and nobody would notice.
"""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from ..errors import BadRecord

_BINARY = (b"\0", BOM_UTF16_LE, BOM_UTF16_BE)
"""The first bytes of what a schema registry's serializers write (Avro, Protobuf, JSON Schema), and of UTF-16."""
_MARKS = (b"{", BOM_UTF8 + b"{", b'"{\\"', b'[{"', *_BINARY)


def is_object(value: bytes) -> bool:
    """Whether the `value` of a record of `emails` is meant as an object, in JSON or another format; else it is a raw
    mail.

    >>> is_object(b'{"id": "a"}'), is_object(b"Subject: a")
    (True, False)
    """
    return value.startswith(_MARKS)


def unmarked(value: bytes) -> bytes:
    """JSON (`value`) without a byte order mark, which .NET and PowerShell write and readers may ignore (RFC 8259, 8.1).

    Raises:
        BadRecord: `bad-json`: the value is in another format, or in UTF-16.
    """
    if value.startswith(_BINARY):
        begins = f"the value begins with {value[:5].hex(' ')}, as Avro, Protobuf or UTF-16 does"
        raise BadRecord("bad-json", f"{begins}: write JSON alone, in UTF-8, with the serializer of strings or bytes")
    return value.removeprefix(BOM_UTF8)
