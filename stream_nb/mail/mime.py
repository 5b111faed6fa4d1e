"""A mail's headers, bodies and attachments, by the fast parser or, if that rejects the mail, by the fallback parser."""

from __future__ import annotations

from fast_mail_parser import DecodeError, ParseError, PyLazyAttachment, PyLazyMail, parse_email

from stream_nb.mail.fallback_parser import Attachment, Plain, as_text, parse_slowly

_REJECTED = "\ufffd"  # the whole of a text in a charset that browsers do not decode, such as ISO-2022-KR


def parse(raw: bytes, whole: bytes) -> tuple[PyLazyMail | Plain, list[str], list[str]]:
    """Parse `raw` with the fast parser; if it rejects that or its charset, parse the `whole` mail with the fallback.

    Also returns the bodies in plain text and in HTML, because the fast parser decodes them at each access.
    """
    try:
        message = parse_email(raw, mode="lazy")
        plain, htmls = message.text_plain, message.text_html
        if _REJECTED not in plain and _REJECTED not in htmls:
            return message, plain, htmls
        slow = parse_slowly(whole)
    except DecodeError:
        slow = parse_slowly(whole)
    except ParseError:  # nested too deep, which the fallback parser cannot handle
        slow = as_text(whole)
    return slow, slow.text_plain, slow.text_html


def content(attachment: PyLazyAttachment | Attachment) -> bytes:
    """The decoded bytes of an attachment; none if they cannot be decoded."""
    try:
        return attachment.content
    except ParseError:
        return b""
