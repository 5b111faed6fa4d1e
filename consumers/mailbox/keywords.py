"""The keywords of mails in a Maildir, which Dovecot writes as letters in file names and lists in a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import ascii_lowercase

from .known_mails import HAM, SPAM

KEYWORDS = {"$junk": SPAM, "junk": SPAM, "$notjunk": HAM, "notjunk": HAM, "nonjunk": HAM}
"""The label that each keyword means."""
_LETTERS = {str(number): letter for number, letter in enumerate(ascii_lowercase)}


def keyword_names(folder: Path) -> dict[str, str]:
    """The lower-case keyword for each flag letter in a `folder` of a Maildir, from Dovecot's file; {} without one."""
    try:
        lines = (folder / "dovecot-keywords").read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    pairs = [line.split(" ", 1) for line in lines if " " in line]
    return {_LETTERS[number]: name.lower() for number, name in pairs if number in _LETTERS}


def keyword_class(flags: str, names: Mapping[str, str], not_junk_is_ham: bool) -> str | None:
    """The label that the keywords of a mail give, or None.

    Args:
        flags: The letters in the name of the mail's file.
        names: The folder's keywords, from `keyword_names`.
        not_junk_is_ham: Whether mail that is not junk has the class ham, not one of several others.

    >>> keyword_class("Sa", {"a": "$junk"}, True), keyword_class("Sa", {"a": "$notjunk"}, False)
    ('spam', None)
    """
    labels = [KEYWORDS[name] for letter in flags if (name := names.get(letter)) in KEYWORDS]
    return next((label for label in labels if label == SPAM or not_junk_is_ham), None)
