"""Checks the names of label sources."""

from __future__ import annotations

from ..errors import BadRecord, UserError
from .sanitize import show_safely
from .schemas import SILENCE

MAX_SOURCE_CHARS = 100
SHOWN_SOURCE_CHARS = 60
"""Most characters of a source that people are shown."""


def check_source(source: str) -> None:
    """Raise BadRecord if the `source` of a label cannot be a person, a rule or a program.

    `SILENCE` is reserved: its labels count only without votes of others, and in no figure, so a person's labels under
    that name would be lost. Only the stage `silence` uses it, without this check; withdrawing its labels is allowed.
    """
    if not source.strip():
        raise BadRecord("bad-source", f"source {source!r} names nobody; give the name of a person, a rule or a program")
    if source == SILENCE:
        raise BadRecord(
            "bad-source", f"source {source!r} is for labels that nobody gave, by `stream-nb silence`; give another name"
        )


def check_own_source(source: str, where: str) -> None:
    """Raise UserError for a `source`, configured by the setting or mailbox `where` (``[filter] source``), that
    `check_source` rejects."""
    try:
        check_source(source)
    except BadRecord as error:
        raise UserError(f"{where}: {error.detail}") from error


def given_source(source: str) -> str:
    """The `source` of a label, named by a stranger, as records store it: safe to show, at most `MAX_SOURCE_CHARS`
    characters.

    Raises BadRecord like `check_source`.

    >>> given_source("ann\\u202e")
    'ann⟨U+202E⟩'
    """
    check_source(source)
    return show_safely(source, MAX_SOURCE_CHARS)
