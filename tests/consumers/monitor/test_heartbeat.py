"""The monitor's heartbeats: that they go on by themselves, what waits, and since when the worker is silent."""

from __future__ import annotations

import time

import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.monitor import topic
from consumers.monitor.heartbeat import Heartbeat
from consumers.monitor.service import HEARTBEAT_S, Monitor
from consumers.records.schemas import EMAILS, LABELS, QUARANTINE, LabelRecord, QuarantineRecord, encode
from consumers.records.skipped import SkippedRecords
from consumers.settings import MonitorSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.consumers.monitor.stream import new_log

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.01), monitor=MonitorSettings(port=0))


class Clock:
    """A wall clock that runs with the log's, `ahead` seconds of it."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


def mails(log: MemoryLog, first: int, last: int) -> None:
    log.append([ProducerRecord(EMAILS, b"m%d" % n, b"Subject: %d\n\nhello" % n) for n in range(first, last)])


def labels(log: MemoryLog, *names: str) -> None:
    records = [LabelRecord(name, "spam", "people", time.time()) for name in names]
    log.append([ProducerRecord(LABELS, record.id.encode(), encode(record)) for record in records])


def work(log: MemoryLog) -> None:
    worker, idle = Worker(MemoryLog(log.topics), SETTINGS, "worker-0"), 0
    while idle < 3:
        idle = 0 if worker.step() else idle + 1


def told(monitor: Monitor, log: MemoryLog) -> Heartbeat:
    """The newest heartbeat after the monitor has done all there is."""
    monitor.step(timeout_s=0.0)
    while monitor.step(timeout_s=0.0) or not monitor.ready:
        pass
    monitor.publish(curves=False)
    return topic.read_last(log, topic.HEARTBEAT, Heartbeat, SkippedRecords())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def watch(log: MemoryLog, clock: Clock) -> Monitor:
    """A monitor for which time passes only when the clock is moved, as far as it asks what is due."""
    return Monitor(MemoryLog(log.topics), SETTINGS, clock=lambda: clock.ahead, wall_clock=clock)


def test_an_empty_log_has_nothing_waiting_and_no_worker(clock):
    log = new_log()
    beat = told(watch(log, clock), log)
    assert (beat.mails_waiting, beat.labels_waiting, beat.worker_at, beat.unread) == (0, 0, 0.0, 0)
    assert beat.idle_at == beat.timestamp == pytest.approx(clock(), abs=30)


def test_what_waits_is_counted_from_the_moment_the_worker_stops(clock):
    log = new_log()
    mails(log, 0, 20)
    labels(log, "m1")
    work(log)
    monitor = watch(log, clock)
    before = told(monitor, log)
    assert (before.mails_waiting, before.labels_waiting) == (0, 0)
    clock.ahead = 3_600.0
    quiet = told(monitor, log)
    assert quiet.idle_at - before.idle_at == pytest.approx(3_600.0, abs=30)
    assert quiet.worker_at == before.worker_at == pytest.approx(time.time(), abs=30)
    mails(log, 20, 100)
    labels(log, "m2", "m3")
    clock.ahead += 120.0
    beat = told(monitor, log)
    assert (beat.mails_waiting, beat.labels_waiting) == (80, 2)
    assert beat.worker_at == quiet.worker_at
    assert beat.idle_at == pytest.approx(quiet.idle_at, abs=30)
    assert beat.timestamp - beat.idle_at == pytest.approx(120.0, abs=30)


@pytest.mark.parametrize("sign", ["prediction", "delta", "quarantine"])
def test_any_record_of_the_worker_is_a_sign_of_life(sign, clock):
    log = new_log()
    mails(log, 0, 1)
    work(log)
    first = told(watch(log, clock), log).worker_at
    if sign == "prediction":
        mails(log, 1, 2)
        work(log)
    elif sign == "delta":
        labels(log, "m0")
        work(log)
    else:
        record = QuarantineRecord("empty", "nothing in it", EMAILS, 0, 1, time.time())
        log.append([ProducerRecord(QUARANTINE, b"m1", encode(record), 0, time.time() + 1.0)])
    assert told(watch(log, clock), log).worker_at > first


def test_a_monitor_that_starts_on_a_backlog_knows_when_the_worker_was_seen(clock):
    log = new_log()
    mails(log, 0, 5)
    work(log)
    mails(log, 5, 10)
    clock.ahead = 3_600.0
    beat = told(watch(log, clock), log)
    assert (beat.mails_waiting, beat.idle_at) == (5, 0.0)
    assert beat.timestamp - beat.worker_at == pytest.approx(3_600.0, abs=30)


def test_heartbeats_go_on_while_nothing_happens_and_bring_nothing_else(clock):
    log = new_log()
    mails(log, 0, 5)
    work(log)
    monitor = watch(log, clock)
    told(monitor, log)
    clock.ahead = 120.0  # the rates of the view have come to rest
    monitor.publish(curves=True)
    first = told(monitor, log)
    end = log.end_offset(topic.MONITOR_PARTITION)
    monitor.publish(curves=False)
    assert log.end_offset(topic.MONITOR_PARTITION) == end
    clock.ahead += 2 * HEARTBEAT_S
    monitor.step(timeout_s=0.0)
    assert [record.key for record in log.read({topic.MONITOR_PARTITION: end})] == [topic.HEARTBEAT]
    assert told(monitor, log).timestamp > first.timestamp


def test_what_the_monitor_has_not_read_yet_is_told(clock):
    log = new_log()
    mails(log, 0, 50)
    work(log)
    monitor = watch(log, clock)
    monitor.step(timeout_s=0.0)
    monitor.publish(curves=False)
    assert topic.read_last(log, topic.HEARTBEAT, Heartbeat, SkippedRecords()).unread == 50
    assert told(monitor, log).unread == 0
