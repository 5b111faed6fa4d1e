"""The monitor's figures as Prometheus metrics, computed at each scrape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from ..records.schemas import TOO_MANY_CLASSES
from .figures.drift import SIGNALS
from .figures.traffic import Histogram
from .health import Health
from .log_status import PartitionLag
from .service import Monitor
from .view import View, WindowView

REASONS = (
    "empty",
    "oversized",
    "unreadable",
    "bad-json",
    "bad-count",
    "bad-feature",
    "bad-label",
    "bad-id",
    "bad-key",
    "duplicate-id",
    "duplicate-mail",
    TOO_MANY_CLASSES,
    "mail-gone",
    "label-without-mail",
)
"""The reasons on `quarantine` (docs/records.md)."""


class MonitorCollector(Collector):
    """Quality, traffic and lag from the latest view of `monitor`; no metrics before its first view, or without one."""

    def __init__(self) -> None:
        self.monitor: Monitor | None = None

    def collect(self) -> Iterator[Metric]:
        """The metrics of the latest view, which the monitor's thread replaces but never modifies."""
        monitor = self.monitor  # another thread replaces it
        if monitor is None or (view := monitor.view) is None:
            return
        status = view.log_status
        yield CounterMetricFamily("stream_nb_mails", "Mails scored.", view.mails)
        yield CounterMetricFamily("stream_nb_labels", "Label records read, except those of silence.", view.labels)
        yield from _windows(view)
        yield from _all_mail(view)
        yield _counts("stream_nb_drift_events", "Changes detected.", "signal", SIGNALS, view.change_counts)
        yield _counts("stream_nb_quarantined", "Records in quarantine.", "reason", REASONS, status.quarantine)
        yield GaugeMetricFamily(
            "stream_nb_misplaced_labels",
            "Labels of the latest mails on another partition than their mail.",
            view.misplaced_labels,
        )
        yield _lag(status.lag)
        yield from _stages(monitor.health)
        yield GaugeMetricFamily("stream_nb_model_features", "Words and pairs in the model.", status.features)
        yield GaugeMetricFamily("stream_nb_model_labels", "Labels in the model.", status.labels_learned)
        yield _histogram(
            "stream_nb_score_latency_seconds", "Seconds from a mail's arrival to its prediction.", view.latency
        )
        yield _histogram("stream_nb_label_delay_seconds", "Seconds from a mail's arrival to its label.", view.delay)


def _windows(view: View) -> Iterator[Metric]:
    positive = view.positive
    gauges: list[tuple[str, str, Callable[[WindowView], float | None]]] = [
        ("window_mails", "Labelled mails in the window.", lambda window: window.report.n),
        (
            "accuracy_ratio",
            "Share of mails whose predicted label is correct, 0 to 1.",
            lambda window: window.report.accuracy,
        ),
        (
            "precision_ratio",
            f"Of the mails predicted as {positive}, the share that is {positive}, 0 to 1.",
            lambda window: window.report.precision,
        ),
        (
            "recall_ratio",
            f"Of the mails that are {positive}, the share predicted as {positive}, 0 to 1.",
            lambda window: window.report.recall,
        ),
        ("ranking_error_ratio", f"1 - area under the ROC curve of {positive}, 0 to 1.", _ranking_error),
        (
            "base_rate_ratio",
            "Accuracy of always predicting the commonest class, 0 to 1.",
            lambda window: window.base_rate,
        ),
    ]
    for name, text, value_in in gauges:
        gauge = GaugeMetricFamily(f"stream_nb_{name}", text, labels=["window"])
        for window_name, window in view.windows.items():
            if (value := value_in(window)) is not None:
                gauge.add_metric([window_name], value)
        yield gauge
    of_class = GaugeMetricFamily(
        "stream_nb_class_recall_ratio",
        "Of the mails of the class, the share predicted as it, 0 to 1.",
        labels=["window", "class"],
    )
    for window_name, window in view.windows.items():
        for true_label, row in sorted(window.report.confusion.items()):
            of_class.add_metric([window_name, true_label], row.get(true_label, 0) / sum(row.values()))
    yield of_class


def _ranking_error(window: WindowView) -> float | None:
    error_pct = window.report.one_minus_auc_pct
    return None if error_pct is None else error_pct / 100


def _all_mail(view: View) -> Iterator[Metric]:
    """Metrics about mail that need not be labelled."""
    figures = [
        ("stream_nb_label_coverage_ratio", "Share of the latest mails with a label, 0 to 1.", view.coverage),
        ("stream_nb_audit_accuracy_ratio", "Accuracy over the random audit sample, 0 to 1.", view.audit.accuracy),
        ("stream_nb_unlabelled_accuracy_ratio", "Estimate for unlabelled mail, 0 to 1.", view.estimate.accuracy),
    ]
    for name, text, value in figures:
        if value is not None:
            yield GaugeMetricFamily(name, text, value)


def _counts(name: str, text: str, label: str, known: Iterable[str], counts: dict[str, int]) -> Metric:
    """A counter for each value of a label. Those of `known` values begin at 0: Prometheus sees no increase if a series
    begins with its first event."""
    family = CounterMetricFamily(name, text, labels=[label])
    for value, count in sorted((dict.fromkeys(known, 0) | counts).items()):
        family.add_metric([value], count)
    return family


def _lag(lag: list[PartitionLag]) -> Metric:
    family = GaugeMetricFamily("stream_nb_lag_records", "Records not processed yet.", labels=["topic", "partition"])
    for entry in lag:
        family.add_metric([entry.topic, str(entry.partition)], entry.records)
    return family


def _stages(health: Health | None) -> Iterator[Metric]:
    process = ["stage", "member"]
    running = GaugeMetricFamily("stream_nb_stage_running", "1 while its heartbeats arrive.", labels=process)
    seen = GaugeMetricFamily(
        "stream_nb_stage_seen_timestamp_seconds", "The last heartbeat, in seconds since 1970.", labels=process
    )
    text = "Records that the process has yet to read."
    restarts = GaugeMetricFamily("stream_nb_stage_restarts", "Restarts in the last minute.", labels=process)
    backlog = GaugeMetricFamily("stream_nb_stage_backlog_records", text, labels=[*process, "topic"])
    for stage in health.stages if health is not None else []:
        running.add_metric([stage.stage, stage.member], stage.runs)
        seen.add_metric([stage.stage, stage.member], stage.seen_at)
        restarts.add_metric([stage.stage, stage.member], stage.restarts)
        for waiting in stage.backlog:
            backlog.add_metric([stage.stage, stage.member, waiting.topic], waiting.records)
    yield from (running, seen, restarts, backlog)


def _histogram(name: str, text: str, histogram: Histogram) -> Metric:
    bounds = [*map(str, histogram.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(histogram.counts), strict=True))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=histogram.sum_s)
