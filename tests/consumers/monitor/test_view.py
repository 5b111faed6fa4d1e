"""The view's means of the signals, durations, rates and time, and when the row of a mail is published."""

from __future__ import annotations

import msgspec
import pytest

from consumers.log.base import ProducerRecord
from consumers.monitor.mail_row import MailRow
from consumers.monitor.topic import read_last
from consumers.records.schemas import PREDICTIONS, encode
from consumers.records.skipped import SkippedRecords
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, label_record, monitor_of, prediction


def test_the_view_has_the_means_of_the_signals_the_durations_and_the_rates():
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
    assert monitor.view.recent_delay.median_s == pytest.approx(0.005, abs=1e-4)
    assert (monitor.view.latency.sum_s, monitor.view.delay.sum_s) == pytest.approx((0.02, 0.02), abs=1e-4)
    assert (monitor.view.mails_per_s, monitor.view.labels_per_s) == (1.0, 1.0)
    log.append([label_record("m9", "ham", "ann", BEGIN)])  # of another partition, read later
    catch_up(monitor)
    assert monitor.view.labels == 5 and monitor.view.timestamp == few[-1].scored_at
    monitor.state.advance_to(BEGIN)
    assert monitor.state.now == few[-1].scored_at


def test_the_row_of_a_mail_is_published_again_when_its_label_changes():
    """Although no model has learned the label."""
    log, rows = new_log(), []
    log.append([ProducerRecord(PREDICTIONS, b"m0", encode(prediction(0, 1.0, BEGIN)), 0, BEGIN)])
    monitor = monitor_of(log)
    for label in ("ham", "spam", None):
        catch_up(monitor)
        log.append([label_record("m0", label, "ann", BEGIN + 1)])
        catch_up(monitor)
        rows.append(read_last(log, b"mail/0/0", MailRow, SkippedRecords()))
    assert [(row.true_label, row.labelled_at) for row in rows] == [("ham", BEGIN + 1), ("spam", BEGIN + 1), (None, 0.0)]
