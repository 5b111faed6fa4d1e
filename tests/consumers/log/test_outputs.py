from __future__ import annotations

import time

import pytest

from consumers.errors import Restart
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog
from consumers.log.outputs import wait_for_outputs
from consumers.records.schemas import PREDICTIONS, TOPICS

PLACE = TopicPartition(PREDICTIONS, 0)


class LateLog(MemoryLog):
    """A record is readable after the third look."""

    looks = 0

    def end_offset(self, place):
        self.looks += 1
        return super().end_offset(place) - (self.looks < 3)

    def written_ends(self, places):
        return {place: super(LateLog, self).end_offset(place) for place in places}


def late_log() -> LateLog:
    log = LateLog()
    log.create_topics(TOPICS, 1)
    log.append([ProducerRecord(PREDICTIONS, b"a", b"b", 0)])
    return log


def test_a_record_that_was_written_is_waited_for():
    log = late_log()
    beats = []
    wait_for_outputs(log, [PLACE], beats.append)
    assert (log.looks, beats) == (3, [False, False])


def test_it_waits_where_sleep_fails_because_of_a_shifted_clock(monkeypatch):
    def sleep(seconds):
        raise OSError(22, "Invalid argument")  # as under libfaketime (`runtime.pause`)

    log = late_log()
    monkeypatch.setattr(time, "sleep", sleep)
    wait_for_outputs(log, [PLACE])
    assert log.looks == 3


def test_a_transaction_that_stays_open_is_named(monkeypatch):
    monkeypatch.setattr("consumers.log.outputs.WAIT_S", -1.0)
    with pytest.raises(Restart, match=r"predictions\[0\] has an open transaction, which hides records from 0 on"):
        wait_for_outputs(late_log(), [PLACE])
