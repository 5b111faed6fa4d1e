"""Who labels, how much, and how often against the prediction."""

from __future__ import annotations

import copy

import msgspec

from ..records.sanitize import show_safely
from ..records.schemas import LabelRecord
from .joiner import Outcome

MAX_SOURCES = 200
OTHERS = "(others)"


class SourceCounts(msgspec.Struct):
    """Labels that a source gave and took back; mails that have their label from it now, and how many of these were
    predicted `wrong`. For `SILENCE` they are the mails that it labelled, and those that people labelled otherwise.

    `last_at` is when it last wrote a label, in seconds since 1970.
    """

    labels: int = 0
    withdrawn: int = 0
    scored: int = 0
    wrong: int = 0
    last_at: float = 0.0


class SourceView(msgspec.Struct, frozen=True):
    """The counts of one source; `display_name` is its name made safe to show."""

    name: str
    display_name: str
    counts: SourceCounts


class LabelSources:
    """Counts by source; those beyond `MAX_SOURCES` share one line, so that nobody can fill the memory with names."""

    def __init__(self, counts: dict[str, SourceCounts] | None = None) -> None:
        self.counts: dict[str, SourceCounts] = {} if counts is None else counts

    def add(self, label: LabelRecord, timestamp: float) -> None:
        """Count a label record appended at `timestamp`."""
        counts = self._counts_of(label.source)
        counts.last_at = timestamp
        if label.forget or label.label is None:
            counts.withdrawn += 1
            return
        counts.labels += 1

    def add_outcome(self, outcome: Outcome | None, source: str) -> None:
        """Count a mail whose true label comes from this source, or that `SILENCE` has labelled.

        Args:
            outcome: The mail's labels; None where it has a label of `SILENCE` alone.
            source: Who gave its true label, or `SILENCE`.
        """
        counts = self._counts_of(source)
        counts.scored += 1
        counts.wrong += outcome is not None and not outcome.correct

    def remove_outcome(self, outcome: Outcome | None, source: str) -> None:
        """Take back a mail counted before: its label has been withdrawn, or is another, or another source's.

        Args:
            outcome: As it was added.
            source: As it was added.
        """
        counts = self._counts_of(source)
        counts.scored -= 1
        counts.wrong -= outcome is not None and not outcome.correct

    def _counts_of(self, source: str) -> SourceCounts:
        if source not in self.counts and len(self.counts) >= MAX_SOURCES:
            source = OTHERS
        return self.counts.setdefault(source, SourceCounts())

    def view(self) -> list[SourceView]:
        """All sources, the one with the most labels first."""
        busiest = sorted(self.counts.items(), key=lambda item: -item[1].labels)
        return [SourceView(name, show_safely(name, 60), copy.copy(counts)) for name, counts in busiest]
