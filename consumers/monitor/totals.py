"""The figures since the start, which the monitor stores because it cannot reread all records."""

from __future__ import annotations

import secrets

import msgspec

from .figures.drift import Change
from .figures.label_sources import SourceCounts
from .figures.traffic import DELAY_BUCKETS_S, LATENCY_BUCKETS_S, Histogram
from .figures.window_stats import StoredStats


class ReadUpTo(msgspec.Struct, frozen=True):
    """The offset after the last record of a partition that was counted."""

    topic: str
    partition: int
    next_offset: int


class MonitorTotals(msgspec.Struct):
    """The stored part of the monitor's state.

    `read_up_to` repeats the committed positions, because Kafka deletes those of a group that was inactive for a week,
    and people may reset them. `start` has the statistics since the start, with the ranking of `positive`; `classes` is
    the number of labelled mails by class. `salt` determines the audit's sample and never leaves the log.
    """

    salt: bytes
    positive: str = ""
    read_up_to: list[ReadUpTo] = []
    mails: int = 0
    labels: int = 0
    start: StoredStats = msgspec.field(default_factory=StoredStats)
    classes: dict[str, int] = {}
    sources: dict[str, SourceCounts] = {}
    changes: list[Change] = []
    change_counts: dict[str, int] = {}
    latency: Histogram = msgspec.field(default_factory=lambda: Histogram.of(LATENCY_BUCKETS_S))
    delay: Histogram = msgspec.field(default_factory=lambda: Histogram.of(DELAY_BUCKETS_S))


def new_totals() -> MonitorTotals:
    """The totals of a monitor that has counted nothing."""
    return MonitorTotals(secrets.token_bytes(16))
