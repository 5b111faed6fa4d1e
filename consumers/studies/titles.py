"""The title of a mail in the tables of a study."""

from __future__ import annotations

from stream_nb.types import Mail

from ..records.messages import listed
from ..records.sanitize import show_safely

_SHOWN_CHARS = 60


def title_of(mail: Mail) -> str:
    """The subject of a mail, else the beginning of its text, else its first words and features: a row of a table may
    have neither subject nor text. Safe to show."""
    return text_of(mail, "subject") or text_of(mail, "") or show_safely(listed(mail.words, mail.features), _SHOWN_CHARS)


def text_of(mail: Mail, name: str) -> str:
    """The beginning of a mail's text in the parts with this `name`, such as ``subject``, or "" for the body; safe to
    show, "" if there is none."""
    text = b" ".join(part.text for part in mail.parts if part.name == name)
    return show_safely(text.decode("utf-8", "replace"), _SHOWN_CHARS)
