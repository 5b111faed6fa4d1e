"""The standard library's parser, for the few mails that the fast parser rejects.

It rejects 6 of the 6,046 mails in the SpamAssassin corpus, all for bad base64 in a body.
"""

from __future__ import annotations

import binascii
import codecs
import email
import email.header
import re
from email.errors import MessageError
from email.message import Message
from encodings import normalize_encoding
from encodings.aliases import aliases
from typing import NamedTuple

from stream_nb.mail.content_fields import with_plain_fields
from stream_nb.mail.flowed import joined_lines

MAX_FALLBACK_BYTES = 64_000
MAX_LINE_READS = 20_000

_CHARSETS = frozenset((*aliases, *aliases.values(), "cp874", "koi8_u"))
"""The charsets that may be decoded. Python caches every name it looks up forever, and punycode and idna are slow."""
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")
_CODE_PAGE = re.compile(r"^(?:x_)?(?:cp|dos|ibm|ms|win|windows)_?(\d+)$")
"""The many ways of naming Windows-1251 and so on, without the digits."""
_WESTERN = ("", "ascii", "iso8859-1")
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "euc_kr": "cp949", "shift_jis": "cp932",
    "iso8859-9": "cp1254",
}  # fmt: skip
"""Charsets that a wider one includes, whose characters mail in the narrow one often has, too (WHATWG, Encoding)."""


class Plain(NamedTuple):
    """A parsed mail, with the attributes that the fast parser's result has too.

    It holds header values by name, text/plain and text/html bodies, and attachments.
    """

    headers: dict[str, list[str]]
    text_plain: list[str]
    text_html: list[str]
    attachments: list[Attachment]


class Attachment(NamedTuple):
    """A MIME part that is not a body: its media type, its decoded bytes (of text in UTF-8) and its file name."""

    mimetype: str
    content: bytes
    filename: str


def parse_slowly(raw: bytes) -> Plain:
    """Parse the first 64 kB of a mail; if that fails, return these bytes as plain text."""
    raw = raw[:MAX_FALLBACK_BYTES]
    if raw.count(b"\n") * (1 + raw.count(b"boundary")) > MAX_LINE_READS:  # each multipart level reads its lines again
        return as_text(raw)
    try:
        message = email.message_from_bytes(with_plain_fields(raw)[0])
        headers: dict[str, list[str]] = {}
        for name, value in message.raw_items():  # `items` replaces what is not ASCII
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


def parameter(part: Message, name: str, field: str = "content-type") -> str | None:
    """A parameter of one of a part's header fields, such as the charset."""
    value = part.get_param(name, header=field)  # str, or by RFC 2231 a tuple whose last item is the value
    return value[2] if isinstance(value, tuple) else value


def is_flowed(part: Message) -> bool:
    """Return whether a part is text for `joined_lines`."""
    return [str(parameter(part, name)).lower() for name in ("format", "delsp")] == ["flowed", "yes"]


def _decoded(value: object) -> str:
    text = str(value).replace("\r", "").replace("\n", "")
    end = text.rfind("?=") + 2 if "?=" in text else 0  # decode_header scans to the end from each `=?` behind it
    try:
        pieces = email.header.decode_header(text[:end])
    except MessageError:  # a word of invalid base64
        pieces = [(text[:end], None)]
    text = "".join(p if isinstance(p, str) else in_charset(p, charset) for p, charset in pieces) + text[end:]
    return to_text(text.encode("utf-8", "surrogateescape"))


def in_charset(content: bytes, charset: str | None) -> str:
    """Decode bytes in a charset, or in the one that browsers take it for; if it is unknown, by `to_text`."""
    name = _CODE_PAGE.sub(r"cp\1", normalize_encoding(charset or "").lower())
    try:
        codec = codecs.lookup(name).name if name in _CHARSETS else ""
        if codec in _WESTERN:
            return to_text(content)
        return content.decode(_WIDER.get(codec, codec), "replace").encode("utf-8", "replace").decode()
    except (LookupError, ValueError):
        return to_text(content)


def _from_base64(text: bytes) -> bytes:
    """Decode base64 like mail programs do: ignore what is no base64, an excess letter, and padding within the text."""
    runs = _NOT_BASE64.sub(b"", text).split(b"=")
    return b"".join(binascii.a2b_base64(run[: len(run) - (len(run) % 4 == 1)] + b"==") for run in runs)


def _add(part: Message, plain: Plain) -> None:
    is_base64 = str(part["Content-Transfer-Encoding"]).strip().lower() == "base64"
    if is_base64:
        del part["Content-Transfer-Encoding"]  # Python decodes nothing if there is an excess letter
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    content = _from_base64(content) if is_base64 else content
    kind = part.get_content_type()
    if kind.startswith("text/"):
        content = in_charset(content, parameter(part, "charset")).encode()
    if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
        name = parameter(part, "filename", "content-disposition") or parameter(part, "name") or ""
        plain.attachments.append(Attachment(kind, content, name))
    else:
        text = content.decode()
        if kind == "text/html":
            plain.text_html.append(text)
        else:
            plain.text_plain.append(joined_lines(text) if is_flowed(part) else text)
