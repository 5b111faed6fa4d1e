"""The filter's counters, for /metrics and /stat."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest

from .verdict import Verdict

BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class FilterMetrics:
    """Counts of one filter process since it started."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.started = time.time()
        self.actions: dict[str, int] = {}
        self.scanned = 0
        self.spam = 0
        self.ham = 0
        self.learned = 0
        self._mails = Counter(
            "stream_nb_filter_mails",
            "Mails answered, by symbol and action.",
            ("symbol", "action"),
            registry=self._registry,
        )
        self._labels = Counter("stream_nb_filter_labels", "Successful learn requests.", registry=self._registry)
        self._seconds = Histogram(
            "stream_nb_filter_seconds", "From reading a mail to its answer.", buckets=BUCKETS, registry=self._registry
        )
        self.connections = Gauge("stream_nb_filter_connections", "Connections open now.", registry=self._registry)

    def answered(self, verdict: Verdict, seconds: float) -> None:
        """Count one mail that was answered after `seconds`."""
        self.scanned += 1
        self.spam += verdict.is_spam
        self.ham += verdict.label is not None and not verdict.is_spam
        self.actions[verdict.action] = self.actions.get(verdict.action, 0) + 1
        self._mails.labels(verdict.symbol.name, verdict.action).inc()
        self._seconds.observe(seconds)

    def labelled(self) -> None:
        """Count one successful learn request."""
        self.learned += 1
        self._labels.inc()

    def exposition(self) -> bytes:
        """The counts in Prometheus' text format."""
        return generate_latest(self._registry)
