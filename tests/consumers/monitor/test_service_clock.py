"""The monitor and clocks that are wrong."""

from __future__ import annotations

import msgspec
import pytest

from consumers.log.base import ProducerRecord, Record
from consumers.log.memory import MemoryLog
from consumers.monitor.figures.history import HistoryPoint
from consumers.monitor.service import Monitor
from consumers.monitor.state import State
from consumers.monitor.topic import MONITOR_PARTITION, decode_record
from consumers.monitor.totals import MonitorTotals
from consumers.records.schemas import PREDICTIONS, encode
from consumers.settings import Settings
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, label_record, prediction


@pytest.mark.parametrize("ahead", [0.0, 3_000.0, 1e9])
def test_a_producer_whose_clock_is_ahead_does_not_age_the_mails_of_others(ahead):
    log = new_log()
    for number in range(20):
        record = encode(prediction(number, 3.0, BEGIN + number))
        log.append([ProducerRecord(PREDICTIONS, b"m%d" % number, record, 0, BEGIN + number)])
        log.append([label_record(f"m{number}", "spam", "people", BEGIN + number + (ahead if number == 10 else 0.0))])
    monitor = Monitor(MemoryLog(log.topics), Settings(), wall_clock=lambda: BEGIN + 20)
    catch_up(monitor)
    assert monitor.view.windows["5 min"].report.n == 20
    assert monitor.view.timestamp <= BEGIN + 20
    assert monitor.view.mails_per_s > 0.5


def test_the_history_goes_on_after_the_clock_was_ahead():
    log, now = new_log(), {"is": BEGIN + 7_200.0}
    monitor = Monitor(MemoryLog(log.topics), Settings(), clock=lambda: 0.0, wall_clock=lambda: now["is"])
    for number in range(20):
        now["is"] = BEGIN + number + (7_200.0 if number < 10 else 0.0)
        record = encode(prediction(number, 3.0, now["is"]))
        log.append([ProducerRecord(PREDICTIONS, b"m%d" % number, record, 0, now["is"])])
        catch_up(monitor)
    assert monitor.view.mails_per_s > 0.5
    points = [decode_record(record).value for record in log.scan(MONITOR_PARTITION)]
    times = [point.timestamp for point in points if isinstance(point, HistoryPoint) and point.step_s == 1]
    assert times[-1] == BEGIN + 19


def test_windows_of_time_drop_old_mails_after_the_clock_was_ahead():
    log, now = new_log(), {"is": 0.0}
    monitor = Monitor(MemoryLog(log.topics), Settings(), clock=lambda: 0.0, wall_clock=lambda: now["is"])
    for number, second in enumerate((7_200, 7_201, 10, 11, 400)):
        now["is"] = BEGIN + second
        record = encode(prediction(number, 3.0, now["is"]))
        log.append([ProducerRecord(PREDICTIONS, b"m%d" % number, record, 0, now["is"])])
        log.append([label_record(f"m{number}", "spam", "people", now["is"])])
        catch_up(monitor)
    counts = {name: window.report.n for name, window in monitor.view.windows.items()}
    assert (counts["5 min"], counts["1 h"], counts["24 h"], counts["start"]) == (1, 3, 5, 5)


def test_the_audit_goes_on_after_a_mail_of_a_producer_whose_clock_is_ahead():
    """Mails come every ten seconds for three hours, and a third of them is to be drawn."""
    state = State("spam", 120, MonitorTotals(b"s" * 16), 10)
    for number in range(3 * 360):
        scored = prediction(number, 3.0, BEGIN + 10 * number)
        if number == 0:
            scored = msgspec.structs.replace(scored, arrived_at=BEGIN + 1e7)
        state.update(Record(PREDICTIONS, 0, number, scored.id.encode(), encode(scored), scored.scored_at))
    assert state.audit.view().drawn > 240
