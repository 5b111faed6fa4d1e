"""The monitor and clocks that are wrong."""

from __future__ import annotations

import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.monitor.service import Monitor
from consumers.records.schemas import PREDICTIONS, encode
from consumers.settings import Settings
from tests.consumers.monitor.stream import BEGIN, catch_up, label_record, new_log, prediction


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
