"""A mail's headers, bodies and attachments, by the fast parser or, if that rejects the mail, by the fallback parser."""

from __future__ import annotations

import re
from email.message import Message
from typing import NamedTuple

from fast_mail_parser import (
    DecodeError,
    ParseError,
    PyLazyMail,
    PyLazyMimePart,
    parse_email,
    parse_email_tree,
)

from stream_nb.mail.content_fields import with_plain_fields
from stream_nb.mail.fallback_parser import Plain, as_text, in_charset, is_flowed, parameter, parse_slowly
from stream_nb.mail.flowed import joined_lines
from stream_nb.mail.headers import HEADER_NAMES, KeptFields
from stream_nb.mail.limits import guarded

_LOST = "\ufffd"
"""What the fast parser makes of a byte it cannot decode, and of the whole of a text in a charset that browsers do not
decode, such as ISO-2022-KR."""
_META = re.compile(
    r"<meta[^<>]*charset\s*=\s*[\"']?(big5|euc-\w+|gb\w+|iso-8859-(?!1\b)\d+|koi8-\w|ks_\w+|shift_jis|windows-125(?!2)\d)",
    re.IGNORECASE,
)
"""Only charsets in which ASCII has its own bytes; UTF-8 and Windows-1252 are tried anyway."""
_META_END = 1024
"""Browsers look for the charset in as many bytes."""
_TEXT_KINDS = ("text/", "message/delivery-status", "message/global", "message/rfc822")
_HTML_KINDS = (
    "text/html", "application/xhtml+xml", "text/x-amp-html", "text/watch-html", "text/enriched", "text/richtext",
)  # fmt: skip
_KINDS = {"message/global": "mail", "message/rfc822": "mail", "text/calendar": "calendar"}
_KINDS_OF_NAMES = {"htm": "html", "html": "html", "shtml": "html", "xhtml": "html", "txt": "text", "eml": "mail"}


class MimeMail(NamedTuple):
    """A mail read by `read_mime`.

    `texts` maps each kept name that occurs to its values in UTF-8, one per line; if not `decoded`, they are ASCII.
    `message` has the attachments, `plain` and `htmls` are the bodies, and `raw` is what was parsed.
    """

    texts: dict[str, bytes]
    decoded: bool
    message: PyLazyMail | Plain
    plain: list[str]
    htmls: list[str]
    raw: bytes


def read_mime(raw: bytes, kept: KeptFields) -> MimeMail:
    """Read a mail's `kept` header fields, and its parts. Raises MailError ``empty`` or ``oversized``."""
    safe, header = guarded(raw, kept)
    texts = header.texts
    fields = header.left.replace(b"?==?", b"?= =?")  # the parser needs spaces between encoded words
    left, breaks_words = with_plain_fields(fields + safe[header.end :], len(fields))
    message, plain, htmls = parse(left, safe)
    if breaks_words and isinstance(message, PyLazyMail):
        _join_lines(left, plain)
    if isinstance(message, Plain):
        texts = kept.decoded(message.headers)
    elif header.odd:
        decoded = kept.decoded(message.headers)
        if any(b"=?" in text or _LOST.encode() in text for text in decoded.values()):
            decoded = kept.decoded(parse_slowly(header.left).headers)
        texts |= decoded | {HEADER_NAMES: texts[HEADER_NAMES]}
    return MimeMail(texts, header.odd, message, plain, htmls, left)


def text_kind(media_type: str, name: str) -> str:
    """Return how an attachment is read: as ``html``, ``mail``, ``calendar``, ``text``, or not at all (an empty string).

    An invalid media type means text (RFC 2045, 5.2). A file that is no text by its media type is read by the end of its
    name, because that decides which program opens it.

    >>> [text_kind("application/octet-stream", name) for name in ("invoice.HTM", "invoice.pdf")]
    ['html', '']
    """
    if media_type.startswith(_TEXT_KINDS) or "/" not in media_type:
        return "html" if media_type in _HTML_KINDS else _KINDS.get(media_type, "text")
    return "html" if media_type in _HTML_KINDS else _KINDS_OF_NAMES.get(name.rpartition(".")[2].strip().lower(), "")


def parse(raw: bytes, whole: bytes) -> tuple[PyLazyMail | Plain, list[str], list[str]]:
    """Parse `raw` with the fast parser; if it rejects that or an attached text, parse the `whole` mail with the
    fallback.

    Also returns the bodies in plain text and in HTML, because the fast parser decodes them at each access.
    """
    try:
        message = parse_email(raw, mode="lazy")
        plain, htmls = message.text_plain, message.text_html
        for attachment in message.attachments:
            if text_kind(attachment.mimetype, attachment.filename):
                _ = attachment.content  # decoded now, because it may be broken
        if any(_LOST in text for text in (*plain, *htmls)) or any(map(_meta_charset, htmls)):
            _decode_again(raw, message, plain, htmls)
        return message, plain, htmls
    except DecodeError:
        slow = parse_slowly(whole)
    except ParseError:  # nested too deep, which the fallback parser cannot handle
        slow = as_text(whole)
    return slow, slow.text_plain, slow.text_html


def attached_texts(mail: MimeMail) -> list[tuple[str, bytes, str | None]]:
    """Return `text_kind`, the content and the declared charset of each attachment that is read."""
    attachments = mail.message.attachments
    if not attachments:
        return []
    kinds = [text_kind(attachment.mimetype, attachment.filename) for attachment in attachments]
    contents = [attachment.content if kind else b"" for kind, attachment in zip(kinds, attachments, strict=True)]
    charsets: list[str | None] = []
    if isinstance(mail.message, PyLazyMail) and not all(map(_is_simple, contents)):
        charsets = [_charset(part) for part in _leaves(mail.raw) if not _is_body(part)]
    if len(charsets) != len(attachments):
        charsets = [None] * len(attachments)
    return [text for text in zip(kinds, contents, charsets, strict=True) if text[0]]


def _is_simple(content: bytes) -> bool:
    """Return whether bytes mean the same in any charset."""
    return content.isascii() and b"\x1b" not in content and b"\0" not in content


def _decode_again(raw: bytes, message: PyLazyMail, plain: list[str], htmls: list[str]) -> None:
    """Decode the bodies again whose charset the fast parser does not know, and takes for ASCII, and HTML that names its
    charset itself."""
    unknown = {warning.part_path for warning in message.warnings if warning.kind == "charset-fallback"}
    for kind, texts in (("plain", plain), ("html", htmls)):
        named = [_meta_charset(text) if kind == "html" else None for text in texts]
        again = [k for k, text in enumerate(texts) if text == _LOST or named[k] or f"text_{kind}[{k}]" in unknown]
        bodies = _bodies(raw, kind) if again else []
        if len(bodies) == len(texts):
            for k in again:
                texts[k] = in_charset(bodies[k].content or b"", _charset(bodies[k]) or named[k])


def _join_lines(raw: bytes, plain: list[str]) -> None:
    """Join the lines of the bodies in plain text that are broken within words."""
    bodies = _bodies(raw, "plain")
    if len(bodies) == len(plain):
        for k, body in enumerate(bodies):
            if is_flowed(_fields(body)):
                plain[k] = joined_lines(plain[k])


def _meta_charset(html: str) -> str | None:
    """The charset that HTML names itself, unless the text is the same in any charset."""
    found = None if html.isascii() else _META.search(html, 0, _META_END)
    return found and found[1]


def _leaves(raw: bytes) -> list[PyLazyMimePart]:
    """The parts of a mail that have a content of their own, in the fast parser's order; none if attached mails are
    nested too deep, which `parse_email` does not notice."""
    found: list[PyLazyMimePart] = []
    try:
        left = [parse_email_tree(raw, mode="lazy")]
    except ParseError:
        return []
    while left:
        part = left.pop()
        found += [part] * (part.is_message or not part.content_type.startswith("multipart/"))
        left += [] if part.is_message else reversed(part.children)
    return found


def _bodies(raw: bytes, kind: str) -> list[PyLazyMimePart]:
    """The bodies of one kind, ``plain`` or ``html``."""
    return [part for part in _leaves(raw) if _is_body(part) and part.content_type == f"text/{kind}"]


def _is_body(part: PyLazyMimePart) -> bool:
    return part.disposition != "attachment" and part.content_type in ("text/plain", "text/html")


def _charset(part: PyLazyMimePart) -> str | None:
    return parameter(_fields(part), "charset")


def _fields(part: PyLazyMimePart) -> Message:
    message = Message()
    for name, values in part.headers.items():
        message[name] = values[0]
    return message
