"""Gmail's export: an mbox whose mails begin with X-GM-THRID and X-Gmail-Labels."""

from __future__ import annotations

import csv
import re
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from .folder_names import means_spam, means_trash, means_written

MAX_FIELDS_BYTES = 8_000
"""Bytes at the start of a mail that are searched."""

_OF_USERS = ("junk", "bulk")  # names of spam folders elsewhere; in Gmail they are labels of the user

# Only at the top: a sender may write such a field, too, but servers put their fields above the sender's.
_FIELD = re.compile(rb"(?:X-GM-THRID:[^\n]*\n)?X-Gmail-Labels:([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE)


def has_gmail_labels(raw: bytes) -> bool:
    """Whether a `raw` mail (RFC 5322) begins with Gmail's fields."""
    return _FIELD.match(raw, 0, MAX_FIELDS_BYTES) is not None


def gmail_class(raw: bytes) -> str | None:
    r"""The class of a `raw` mail (RFC 5322) by Gmail's labels: ``spam`` for Spam, None for Trash, Sent and Drafts, else
    ``ham``.

    `class_labels` has the reasons for these exceptions. Mails without Gmail's labels have no class either.
    Gmail writes its labels in the language of the account (see `folder_names`).

    >>> gmail_class(b"X-GM-THRID: 1\nX-Gmail-Labels: Spam,Unread\nSubject: x\n\n")
    'spam'
    """
    found = _FIELD.match(raw, 0, MAX_FIELDS_BYTES)
    if found is None:
        return None
    text = " ".join(found[1].decode("utf-8", "replace").split())
    try:
        text = str(make_header(decode_header(text)))
    except (ValueError, LookupError, HeaderParseError):  # wrongly encoded: use the labels undecoded
        pass
    labels = {label.strip() for line in csv.reader(text.splitlines()) for label in line} - {""}
    if not labels or any(means_trash(label, "") or means_written(label, "") for label in labels):
        return None
    return "spam" if any(means_spam(label, "") and label.lower() not in _OF_USERS for label in labels) else "ham"
