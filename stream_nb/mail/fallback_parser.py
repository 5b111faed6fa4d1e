"""The standard library's parser, for the few mails that the fast parser rejects.

It rejects 6 of the 6,046 mails in the SpamAssassin corpus, all for bad base64 in a body.
"""

from __future__ import annotations

import email
import email.header
from email.errors import MessageError
from email.message import Message
from encodings import normalize_encoding
from encodings.aliases import aliases
from typing import NamedTuple

from stream_nb.mail.transfer_encoding import with_plain_encodings

MAX_FALLBACK_BYTES = 64_000
MAX_LINE_READS = 20_000

_CHARSETS = frozenset((*aliases, *aliases.values(), "cp874", "koi8_u"))
"""The charsets that may be decoded. Python caches every name it looks up forever, and punycode and idna are slow."""


class Plain(NamedTuple):
    """A parsed mail, with the attributes that the fast parser's result has too.

    It holds header values by name, text/plain and text/html bodies, and attachments.
    """

    headers: dict[str, list[str]]
    text_plain: list[str]
    text_html: list[str]
    attachments: list[Attachment]


class Attachment(NamedTuple):
    """A MIME part that is not a body: its media type and its decoded bytes."""

    mimetype: str
    content: bytes


def parse_slowly(raw: bytes) -> Plain:
    """Parse the first 64 kB of a mail; if that fails, return these bytes as plain text."""
    raw = raw[:MAX_FALLBACK_BYTES]
    if raw.count(b"\n") * (1 + raw.count(b"boundary")) > MAX_LINE_READS:  # each multipart level reads its lines again
        return as_text(raw)
    try:
        message = email.message_from_bytes(with_plain_encodings(raw))
        headers: dict[str, list[str]] = {}
        for name, value in message.items():
            headers.setdefault(name, []).append(_decoded(value))
        plain = Plain(headers, [], [], [])
        for part in message.walk():
            if not part.is_multipart():
                _add(part, plain)
    except (MessageError, LookupError, ValueError, RecursionError, TypeError, AttributeError):
        return as_text(raw)
    return plain


def as_text(raw: bytes) -> Plain:
    """Return a mail as a single text/plain body, without headers."""
    return Plain({}, [to_text(raw)], [], [])


def to_text(content: bytes) -> str:
    """Decode bytes as UTF-8 if they are valid UTF-8, else as Windows-1252, like browsers do."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def declared_charset(part: Message) -> str | None:
    """The charset parameter of a part's Content-Type."""
    charset = part.get_param("charset")  # str, or by RFC 2231 a tuple whose last item is the value
    return charset[2] if isinstance(charset, tuple) else charset


def _decoded(value: object) -> str:
    text = str(value).replace("\r", "").replace("\n", "")
    end = text.rfind("?=") + 2 if "?=" in text else 0  # decode_header scans to the end from each `=?` behind it
    pieces = email.header.decode_header(text[:end])
    text = "".join(p if isinstance(p, str) else in_charset(p, charset) for p, charset in pieces) + text[end:]
    return to_text(text.encode("utf-8", "surrogateescape"))


def in_charset(content: bytes, charset: str | None) -> str:
    """Decode bytes in a charset; in one that is unknown or does not fit, by `to_text`."""
    name = normalize_encoding(charset or "utf-8").lower()
    try:
        return content.decode(name).encode("utf-8", "replace").decode() if name in _CHARSETS else to_text(content)
    except (LookupError, ValueError):
        return to_text(content)


def _add(part: Message, plain: Plain) -> None:
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    kind = part.get_content_type()
    if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
        plain.attachments.append(Attachment(kind, content))
    else:
        bodies = plain.text_html if kind == "text/html" else plain.text_plain
        bodies.append(in_charset(content, declared_charset(part)))
