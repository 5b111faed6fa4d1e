"""The names of those who give labels."""

from __future__ import annotations

from ..errors import BadRecord, UserError
from .sanitize import show_safely
from .schemas import SILENCE

MAX_SOURCE_CHARS = 100


def check_source(source: str) -> None:
    """Raise BadRecord for a source that no person, rule or program can be.

    Labels of `SILENCE` count only where nobody else has spoken, and in no figure: a person's would be lost among them.
    Only the stage of that name gives them, and does not ask here; whoever takes labels back names it freely.

    Args:
        source: Who gives a label.
    """
    if not source.strip():
        raise BadRecord("bad-source", f"source {source!r} names nobody; give the name of a person, a rule or a program")
    if source == SILENCE:
        raise BadRecord(
            "bad-source", f"source {source!r} is for labels that nobody gave, by `stream-nb silence`; give another name"
        )


def check_own_source(source: str, where: str) -> None:
    """Raise UserError for a source of our own labels that `check_source` refuses.

    Args:
        source: Who gives them.
        where: Which setting or mailbox names it, as in ``[filter] source``.
    """
    try:
        check_source(source)
    except BadRecord as error:
        raise UserError(f"{where}: {error.detail}") from error


def given_source(source: str) -> str:
    """The name that records get of a source as strangers write it: safe to show, at most `MAX_SOURCE_CHARS` characters.

    Raises BadRecord as `check_source` does.

    Args:
        source: Who gives a label.

    >>> given_source("ann\\u202e")
    'ann⟨U+202E⟩'
    """
    check_source(source)
    return show_safely(source, MAX_SOURCE_CHARS)
