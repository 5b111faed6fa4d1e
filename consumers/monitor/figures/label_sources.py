"""Label sources: how many labels each gave, and how many contradict the prediction."""

from __future__ import annotations

import copy

import msgspec

from ...records.sanitize import show_safely
from ...records.schemas import LabelRecord
from ...records.sources import SHOWN_SOURCE_CHARS
from .joiner import Outcome

MAX_SOURCES = 200
OTHERS = "(others)"
"""The name under which sources beyond a limit are counted together."""


class SourceCounts(msgspec.Struct):
    """How many `labels` a source gave and how many were `withdrawn`; how many mails have their current label from it
    (`scored`), and how many of those were predicted wrong (`wrong`).

    For `SILENCE`, `scored` counts the mails that it labelled and `wrong` those that people labelled differently.
    `last_at` is when the source last wrote a label, in seconds since 1970.
    """

    labels: int = 0
    withdrawn: int = 0
    scored: int = 0
    wrong: int = 0
    last_at: float = 0.0


class SourceView(msgspec.Struct, frozen=True):
    """The counts of one source, or of all beyond `MAX_SOURCES` (`pooled`); `display_name` is its name, sanitized for
    display."""

    name: str
    display_name: str
    counts: SourceCounts
    pooled: bool


class LabelSources:
    """Counts by source; sources beyond `MAX_SOURCES` share one entry, so that invented names cannot fill the memory."""

    def __init__(self, counts: dict[str, SourceCounts] | None = None) -> None:
        self.counts: dict[str, SourceCounts] = {} if counts is None else counts

    def add(self, label: LabelRecord, timestamp: float) -> None:
        """Count a label record appended at `timestamp`."""
        counts = self._counts_of(label.source)
        counts.last_at = max(counts.last_at, timestamp)  # partitions are read in any order
        if label.forget or label.label is None:
            counts.withdrawn += 1
            return
        counts.labels += 1

    def add_outcome(self, outcome: Outcome | None, source: str) -> None:
        """Count a mail whose true label comes from `source`, or that `SILENCE` has labelled, with its outcome; None if
        its only label is one of `SILENCE`."""
        self._count(outcome, source, 1)

    def remove_outcome(self, outcome: Outcome | None, source: str) -> None:
        """Remove a mail that was counted with this `outcome` and `source`: its label or the label's source changed."""
        self._count(outcome, source, -1)

    def _count(self, outcome: Outcome | None, source: str, sign: int) -> None:
        counts = self._counts_of(source)
        counts.scored += sign
        counts.wrong += sign * (outcome is not None and not outcome.correct)

    def _counts_of(self, source: str) -> SourceCounts:
        if source not in self.counts and len(self.counts) >= MAX_SOURCES:
            source = OTHERS
        return self.counts.setdefault(source, SourceCounts())

    def view(self) -> list[SourceView]:
        """All sources, those with the most labels first."""
        busiest = sorted(self.counts.items(), key=lambda item: -item[1].labels)
        return [
            SourceView(name, show_safely(name, SHOWN_SOURCE_CHARS), copy.copy(counts), name == OTHERS)
            for name, counts in busiest
        ]
