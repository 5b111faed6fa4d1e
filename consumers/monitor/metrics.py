"""The monitor's figures for Prometheus, read when it is scraped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from .service import Monitor
from .traffic import Histogram
from .view import View


class MonitorCollector(Collector):
    """Quality, traffic and lag as of the last view of `monitor`; nothing before the first."""

    def __init__(self) -> None:
        self.monitor: Monitor | None = None

    def watch(self, monitor: Monitor) -> None:
        """From now on export this monitor's figures."""
        self.monitor = monitor

    def collect(self) -> Iterator[Metric]:
        """Read the view that the monitor's thread put down; it is never changed afterwards."""
        view = self.monitor.view if self.monitor is not None else None
        if view is None:
            return
        yield CounterMetricFamily("stream_nb_mails", "Mails scored.", view.mails)
        yield CounterMetricFamily("stream_nb_labels", "Label records read.", view.labels)
        yield from _windows(view)
        yield from _honesty(view)
        yield _counts("stream_nb_drift_events", "Changes noticed.", "signal", view.change_counts)
        yield _counts("stream_nb_quarantined", "Records put aside.", "reason", view.facts.quarantine)
        yield _lag(view)
        yield GaugeMetricFamily("stream_nb_model_features", "Words and pairs with a count.", view.facts.features)
        yield GaugeMetricFamily("stream_nb_model_labels", "Labels in the model.", view.facts.labels_learned)
        yield _histogram("stream_nb_score_latency_seconds", "From a mail's arrival to its prediction.", view.latency)
        yield _histogram("stream_nb_label_delay_seconds", "From a mail's arrival to its label.", view.delay)


def _windows(view: View) -> Iterator[Metric]:
    labels = ["window"]
    mails = GaugeMetricFamily("stream_nb_window_mails", "Labelled mails in the window.", labels=labels)
    families = {
        "accuracy": GaugeMetricFamily("stream_nb_accuracy_ratio", "Share judged right.", labels=labels),
        "precision": GaugeMetricFamily("stream_nb_precision_ratio", "Precision.", labels=labels),
        "recall": GaugeMetricFamily("stream_nb_recall_ratio", "Recall.", labels=labels),
        "one_minus_auc_pct": GaugeMetricFamily("stream_nb_ranking_error_ratio", "1 - area under ROC.", labels=labels),
    }
    base = GaugeMetricFamily("stream_nb_base_rate_ratio", "Accuracy of always the commonest class.", labels=labels)
    for name, window in view.windows.items():
        mails.add_metric([name], window.report.n)
        for field, family in families.items():
            value = getattr(window.report, field)
            if value is not None:
                family.add_metric([name], value / 100 if field.endswith("_pct") else value)
        if window.base is not None:
            base.add_metric([name], window.base)
    yield from (mails, *families.values(), base)


def _honesty(view: View) -> Iterator[Metric]:
    pairs = [
        ("stream_nb_label_coverage_ratio", "Share of the latest mails with a label.", view.coverage),
        ("stream_nb_audit_accuracy_ratio", "Accuracy over the random audit sample.", view.audit.accuracy),
        ("stream_nb_unlabelled_accuracy_ratio", "Estimated accuracy without a label.", view.estimate.accuracy),
    ]
    for name, text, value in pairs:
        if value is not None:
            yield GaugeMetricFamily(name, text, value)


def _counts(name: str, text: str, label: str, counts: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for value, count in sorted(counts.items()):
        family.add_metric([value], count)
    return family


def _lag(view: View) -> Metric:
    family = GaugeMetricFamily("stream_nb_lag_records", "Not acted on yet.", labels=["topic", "partition"])
    for place, records in view.facts.lag.items():
        topic, _, partition = place.rstrip("]").partition("[")
        family.add_metric([topic, partition], records)
    return family


def _histogram(name: str, text: str, histogram: Histogram) -> Metric:
    bounds = [*map(str, histogram.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(histogram.counts), strict=True))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=histogram.sum_s)
