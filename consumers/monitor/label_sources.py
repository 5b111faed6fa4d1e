"""Who labels, how much, and how often against the filter."""

from __future__ import annotations

import copy

import msgspec

from ..records.sanitize import show_safely
from ..records.schemas import LabelRecord
from .joiner import Outcome

MAX_SOURCES = 200
OTHERS = "(others)"


class SourceCounts(msgspec.Struct):
    """Labels that a source gave and took back; the mails judged by them, and how many `against` the filter."""

    labels: int = 0
    withdrawn: int = 0
    scored: int = 0
    against: int = 0
    last_at: float = 0.0


class SourceView(msgspec.Struct, frozen=True):
    """The counts of one source; `shown` is its name made fit to show."""

    name: str
    shown: str
    counts: SourceCounts


class Sources:
    """Counts by source; those beyond `MAX_SOURCES` share one line, so that nobody can fill the memory with names."""

    def __init__(self, counts: dict[str, SourceCounts] | None = None) -> None:
        self.counts = {} if counts is None else counts

    def add(self, label: LabelRecord, at: float) -> None:
        """Count a label record appended `at`."""
        counts = self._of(label.source)
        counts.last_at = at
        if label.forget or label.label is None:
            counts.withdrawn += 1
            return
        counts.labels += 1

    def judge(self, judgement: Outcome, source: str) -> None:
        """Count a mail that was judged by a label of this source."""
        counts = self._of(source)
        counts.scored += 1
        counts.against += not judgement.right

    def _of(self, source: str) -> SourceCounts:
        if source not in self.counts and len(self.counts) >= MAX_SOURCES:
            source = OTHERS
        return self.counts.setdefault(source, SourceCounts())

    def view(self) -> list[SourceView]:
        """All sources, the busiest first."""
        busiest = sorted(self.counts.items(), key=lambda item: -item[1].labels)
        return [SourceView(name, show_safely(name, 60), copy.copy(counts)) for name, counts in busiest]
