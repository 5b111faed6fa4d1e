"""The id of a mail: its Message-ID header, else a hash of its content."""

from __future__ import annotations

import hashlib
import re

from stream_nb.mail.limits import check_bytes, header_block, without_mbox_line

MAX_ID_CHARS = 998
"""The longest id: as long as the longest header line."""
_MESSAGE_ID = re.compile(rb"\nmessage-id:[ \t]*(?:\r?\n[ \t]+)?([^\r\n]*)", re.IGNORECASE)


def message_id(raw: bytes) -> str:
    """Return the Message-ID header without its angle brackets, else ``sha256:`` and 32 hex digits of a content hash.

    The hash is SHA-256 over the bytes without a leading mbox `From ` line, so that a mail has the same id wherever
    it is stored. It also replaces a Message-ID that is blank, longer than `MAX_ID_CHARS`, not UTF-8 or not printable.
    Raises TypeError unless `raw` is bytes.

    Args:
        raw: The mail, with or without an mbox `From ` line.

    >>> message_id(b"Message-ID: <a@example.org>\\n\\nhello")
    'a@example.org'
    >>> message_id(b"Subject: none\\n\\nhello")
    'sha256:abf69d2e7ca1e35a72e4e9a9735d316a'
    """
    check_bytes(raw)
    raw = without_mbox_line(raw)
    found = _MESSAGE_ID.search(b"\n" + header_block(raw))
    if found is not None:
        try:
            name = found[1].strip().removeprefix(b"<").removesuffix(b">").strip().decode()
        except UnicodeDecodeError:
            name = ""
        if 0 < len(name) <= MAX_ID_CHARS and name.isprintable():
            return name
    return content_id(raw)


def content_id(raw: bytes) -> str:
    """The id of a `raw` mail by its content, with or without an mbox `From ` line: what `message_id` returns for a mail
    without a Message-ID."""
    return "sha256:" + hashlib.sha256(without_mbox_line(raw)).hexdigest()[:32]
