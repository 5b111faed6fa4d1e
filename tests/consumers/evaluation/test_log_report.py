"""The figures of a log."""

from __future__ import annotations

from consumers.evaluation.log_report import report_log
from consumers.log.base import ProducerRecord
from consumers.records.schemas import PREDICTIONS, encode
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, label_record, monitor_of, prediction


def test_a_mail_that_was_scored_twice_counts_once():
    """A mail that comes again when the worker has forgotten it, or on a new partition, is scored again."""
    log = new_log(2)
    for number, (log_odds, partition) in enumerate(((3.0, 0), (-3.0, 0), (-2.0, 1))):
        again = prediction(number, log_odds, BEGIN + number, partition)
        value = encode(again).replace(again.id.encode(), b"m0")
        log.append([ProducerRecord(PREDICTIONS, b"m0", value, partition, again.scored_at)])
    log.append([label_record("m0", "spam", "ann", BEGIN + 9)])
    monitor = monitor_of(log)
    catch_up(monitor)
    report = report_log(log, "spam")
    assert report.confusion == {"spam": {"spam": 1}}
    assert report == monitor.view.windows["start"].report
