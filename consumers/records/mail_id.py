"""The id of a mail that passes the filter, and how a learn request finds it again.

An id is ``<content>.<nonce>``. The content part is a hash of what does not change on the way to a mailbox: the values
of Message-ID, Date and From, and the body without white space. The nonce is random, so a sender cannot choose an id,
and a mail sent twice has two ids. The id travels in a header that the MTA is asked to add; if that is lost, the content
part still identifies the mail. The nonce of a mail delivered by LMTP is a hash instead, because an MTA without a reply
delivers the same mail again.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from itertools import islice

from stream_nb.mail.limits import header_block, header_end, without_mbox_line

ID_HEADER = "X-Stream-NB-Id"

MOST_FIELDS = 100
_NONCE_BYTES = 8
_WHITE_SPACE = b" \t\n\r\v\f"
_BLANK_LINE = re.compile(rb"\n\r?\n")
_STABLE = re.compile(rb"^(message-id|date|from)[ \t]*:((?:.*\n?)(?:[ \t].*\n?)*)", re.IGNORECASE | re.MULTILINE)
_OF_COPY = re.compile(rb"^(?:x-tuid|x-offlineimap)[ \t]*:.*\n?", re.IGNORECASE | re.MULTILINE)
"""Fields of mbsync and OfflineIMAP, which write another value each time they copy a mail into a mailbox."""
_ID = re.compile(
    rb"^" + ID_HEADER.encode() + rb"[ \t]*:\s*([0-9a-f]{32}\.[0-9a-f]{16})\s*$", re.IGNORECASE | re.MULTILINE
)


def content_hash(raw: bytes) -> str:
    r"""32 hex digits of SHA-256 over the parts of a `raw` mail (RFC 5322) that do not change between the filter and a
    mailbox.

    Added header fields, line endings, an mbox `From ` line and folding make no difference; a different body does.

    >>> content_hash(b"From: a@b\r\n\r\nhello\r\n") == content_hash(b"Received: x\nFrom:  a@b\n\nhello\n\n")
    True
    >>> content_hash(b"From: a@b\n\nhello") == content_hash(b"From: a@b\n\nhello you")
    False
    """
    return _content_hash(*_head_and_body(raw))


def new_id(raw: bytes) -> str:
    """A new id for a `raw` mail (RFC 5322), with a random nonce."""
    return f"{content_hash(raw)}.{secrets.token_hex(_NONCE_BYTES)}"


def repeatable_id(raw: bytes) -> str:
    r"""The id of a `raw` mail (RFC 5322) that an MTA delivers; it is the same when the MTA delivers the same bytes
    again.

    The nonce is a hash of all bytes except line endings, an mbox `From ` line and `_OF_COPY`. They include the MTA's
    own header fields with the time and the queue id, so a mail that somebody sends twice has two ids.

    >>> repeatable_id(b"Received: 1\nFrom: a@b\n\nhi") == repeatable_id(b"Received: 1\nFrom: a@b\n\nhi")
    True
    >>> repeatable_id(b"Received: 1\nFrom: a@b\n\nhi") == repeatable_id(b"Received: 2\nFrom: a@b\n\nhi")
    False
    """
    head, body = _head_and_body(raw)
    received = _OF_COPY.sub(b"", head) + body
    whole = hashlib.sha256(received.replace(b"\r\n", b"\n")).hexdigest()
    return f"{_content_hash(head, body)}.{whole[: 2 * _NONCE_BYTES]}"


def content_of(message_id: str) -> str | None:
    """The content part of `message_id`, if that is an id from this module; None for other ids.

    >>> content_of("0" * 32 + "." + "1" * 16) == "0" * 32
    True
    >>> content_of("someone@example.org"), content_of("0" * 49)
    (None, None)
    """
    return message_id[:32] if len(message_id) == 49 and message_id[32] == "." else None


def is_id_of(message_id: str, raw: bytes) -> bool:
    r"""Whether `message_id` is an id from this module that was made for a mail with the content of `raw` (RFC 5322).

    >>> is_id_of(new_id(b"From: a@b\n\nhello"), b"Received: x\r\nFrom: a@b\r\n\r\nhello")
    True
    >>> is_id_of(new_id(b"From: a@b\n\nhello"), b"From: a@b\n\nhello you")
    False
    """
    content = content_of(message_id)
    return content is not None and content == content_hash(raw)


def carried_id(raw: bytes) -> str | None:
    r"""The topmost id in the header of a `raw` mail (RFC 5322), or None.

    >>> carried_id(b"X-Stream-NB-Id: " + b"0" * 32 + b"." + b"1" * 16 + b"\n\nhello") is None
    False
    >>> carried_id(b"Subject: hi\n\nhello")
    """
    found = _ID.search(header_block(without_mbox_line(raw)))
    return found[1].decode() if found else None


def _content_hash(head: bytes, body: bytes) -> str:
    digest = hashlib.sha256()
    fields = (field.groups() for field in islice(_STABLE.finditer(head), MOST_FIELDS))
    for name, value in sorted((name.lower(), _packed(value)) for name, value in fields):
        digest.update(name + b":" + value + b"\n")
    digest.update(b"\n" + _packed(body))
    return digest.hexdigest()[:32]


def _head_and_body(raw: bytes) -> tuple[bytes, bytes]:
    """The whole header, also that of a mail to thousands of recipients, of which the parser reads only a part, and what
    follows it."""
    mail = without_mbox_line(raw)
    end = header_end(mail)
    if end < 0:
        found = _BLANK_LINE.search(mail)
        end = found.start() if found else len(mail)
    return mail[:end], mail[end:]


def _packed(text: bytes) -> bytes:
    return text.translate(None, _WHITE_SPACE)
