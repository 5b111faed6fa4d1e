"""The view's means of the signals, latency and rates."""

from __future__ import annotations

import msgspec
import pytest

from consumers.log.base import ProducerRecord
from consumers.records.schemas import PREDICTIONS, encode
from tests.support.monitor_stream import BEGIN, catch_up, label_record, monitor_of, new_log, prediction


def test_the_view_has_the_means_of_the_signals_the_latency_and_the_rate_of_labels():
    log = new_log()
    few = [
        msgspec.structs.replace(prediction(n, log_odds, BEGIN + n), probability=probability, known=known, unseen=unseen)
        for n, (log_odds, probability, known, unseen) in enumerate(
            [(-1.0, 0.25, 90, 10), (2.0, 0.75, 10, 30), (-3.0, 0.125, 0, 0), (-1.0, 0.375, 100, 0)]
        )
    ]
    for each in few:
        log.append([ProducerRecord(PREDICTIONS, each.id.encode(), encode(each), 0, each.scored_at)])
        log.append([label_record(each.id, "ham", "ann", each.scored_at)])
    monitor = monitor_of(log)
    catch_up(monitor)
    signals = {"errors": 0.25, "scores": 0.375, "unseen words": (0.1 + 0.75) / 4, "predicted positive": 0.25}
    assert monitor.view.signals == pytest.approx(signals)
    assert monitor.view.recent_latency.median_s == pytest.approx(0.005, abs=1e-4)
    assert (monitor.view.mails_per_s, monitor.view.labels_per_s) == (1.0, 1.0)
