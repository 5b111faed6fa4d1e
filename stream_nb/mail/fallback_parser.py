"""The standard library's parser, for the few mails that the fast one refuses.

That is 6 of the 6,046 mails of the SpamAssassin corpus: bad base64 in a body.
"""

from __future__ import annotations

import email
import email.header
from email.errors import MessageError
from email.message import Message
from typing import NamedTuple

MAX_FALLBACK_BYTES = 64_000
MAX_BOUNDARIES = 40


class Plain(NamedTuple):
    """What both parsers give: header values, text and HTML bodies, and attachments (see `parse`)."""

    headers: dict[str, list[str]]
    text_plain: list[str]
    text_html: list[str]
    attachments: list[Attachment]


class Attachment(NamedTuple):
    """A part that is no body: its type, and its bytes."""

    mimetype: str
    content: bytes


def parse_slowly(raw: bytes) -> Plain:
    """Parse the first 64 kB of a mail; what comes back at worst is its bytes as text."""
    raw = raw[:MAX_FALLBACK_BYTES]
    if raw.count(b"boundary") > MAX_BOUNDARIES:  # each level of parts reads all lines below it once more
        return as_text(raw)
    try:
        message = email.message_from_bytes(raw)
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
    """A mail that is nothing but text."""
    return Plain({}, [to_text(raw)], [], [])


def to_text(content: bytes) -> str:
    """Bytes as UTF-8 where they are, else as Windows-1252, as browsers do."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _decoded(value: object) -> str:
    pieces = email.header.decode_header(str(value))
    text = "".join(p if isinstance(p, str) else _in_charset(p, charset) for p, charset in pieces)
    return to_text(text.encode("utf-8", "surrogateescape"))


def _in_charset(content: bytes, charset: str | None) -> str:
    try:
        return content.decode(charset or "utf-8").encode("utf-8", "replace").decode()
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
        bodies.append(_in_charset(content, part.get_content_charset()))
