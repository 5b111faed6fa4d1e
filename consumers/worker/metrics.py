"""The worker's metrics for Prometheus, collected when it is scraped."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .worker import Worker


class WorkerCollector(Collector):
    """Counts of a worker since it started, and the size of its model."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        totals, replica = self._worker.totals, self._worker.replica
        model = replica.require_model()
        yield CounterMetricFamily("stream_nb_worker_mails", "Mail records read.", totals.mails)
        yield CounterMetricFamily("stream_nb_worker_labels", "Label records read.", totals.labels)
        yield CounterMetricFamily("stream_nb_worker_quarantined", "Records quarantined.", totals.quarantined)
        yield CounterMetricFamily(
            "stream_nb_worker_unmatched_labels", "Labels evicted before their mail came.", totals.unmatched
        )
        yield CounterMetricFamily(
            "stream_nb_worker_skipped_records",
            "Records on predictions and model that no worker wrote.",
            replica.skipped.count,
        )
        yield CounterMetricFamily("stream_nb_worker_commits", "Transactions committed.", totals.commits)
        yield GaugeMetricFamily("stream_nb_worker_partitions", "Partitions of emails held.", self._worker.partitions)
        yield GaugeMetricFamily("stream_nb_model_labels", "Labels in the model.", model.labels_learned)
        yield GaugeMetricFamily("stream_nb_model_features", "Words and pairs in the model.", model.features)
        yield CounterMetricFamily(
            "stream_nb_model_forgotten_features",
            "Words and pairs forgotten, to free memory or with age.",
            replica.forgotten,
        )
        yield GaugeMetricFamily(
            "stream_nb_model_deltas_bytes", "Bytes of deltas since the last snapshot.", replica.delta_bytes
        )
