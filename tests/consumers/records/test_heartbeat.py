"""Heartbeats: when they are written, their content, and that other records on their topic are rejected."""

from __future__ import annotations

import pytest

from consumers.errors import BadRecord, LogUnavailable
from consumers.ingest.feeder import Feeder, Item
from consumers.log.base import ProducerRecord, Record, TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.log.memory import MemoryLog
from consumers.records.heartbeat import HEALTH_PARTITION, HEARTBEAT_S, HeartbeatWriter, read_heartbeat
from consumers.records.schemas import HEALTH, TOPICS
from stream_nb import __version__
from tests.support.memory_log import new_log

PROGRESS = {TopicPartition("emails", 1): Progress(next_offset=7, unread=3)}


@pytest.fixture
def log() -> MemoryLog:
    return new_log(2)


def test_a_heartbeat_is_written_every_few_seconds_and_at_the_end(log):
    now = [100.0]
    writer = HeartbeatWriter(log, "worker", "host-0", lambda: PROGRESS, lambda: 1_000.0 + now[0], lambda: now[0])
    for step_s in (0.0, HEARTBEAT_S - 0.1, 0.1, 1.0):
        now[0] += step_s
        writer.beat()
    writer.beat(stopped=True)
    beats = [read_heartbeat(record) for record in log.scan(HEALTH_PARTITION)]
    assert [beat.timestamp for beat in beats] == [1_100.0, 1_100.0 + HEARTBEAT_S, 1_101.0 + HEARTBEAT_S]
    assert [beat.stopped for beat in beats] == [False, False, True]
    assert {record.key for record in log.scan(HEALTH_PARTITION)} == {b"worker/host-0"}
    assert {beat.starting for beat in beats} == {""}
    (each,) = beats[0].progress
    assert (each.topic, each.partition, each.next_offset, each.unread) == ("emails", 1, 7, 3)
    assert {(beat.version, beat.started_at) for beat in beats} == {(__version__, 1_100.0)}


GOOD = b'{"stage":"worker","member":"m","version":"1","started_at":0,"timestamp":0,"progress":[%s]}'


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        (b"worker/m", b"{", "bad-json"),
        (b"worker/m", b"\xff", "bad-json"),
        (b"worker/m", b'{"a":' * 100_000, "bad-json"),
        (b"worker/m", GOOD.replace(b'"timestamp":0', b'"timestamp":1e300') % b"", "bad-json"),
        (b"thief/m", GOOD.replace(b"worker", b"thief") % b"", "bad-stage"),
        (b"worker/other", GOOD % b"", "bad-key"),
        (None, GOOD % b"", "bad-key"),
        (b"worker/" + 400 * b"m", GOOD.replace(b'"m"', b'"' + 400 * b"m" + b'"') % b"", "bad-key"),
        (b"worker/m", GOOD % b'{"topic":"quarantine","partition":0,"next_offset":0,"unread":0}', "bad-topic"),
        (b"worker/m", GOOD % b'{"topic":"emails","partition":-1,"next_offset":0,"unread":0}', "bad-json"),
    ],
)
def test_other_records_are_rejected(key, value, reason):
    with pytest.raises(BadRecord, match=reason):
        read_heartbeat(Record(HEALTH, 0, 0, key, value, 0.0))


def test_the_topic_keeps_one_record_per_process(sqlite_log):
    for number in range(5):
        HeartbeatWriter(sqlite_log, "worker", "host-0", lambda: PROGRESS).beat(stopped=number == 4)
    sqlite_log.append([ProducerRecord(HEALTH, b"monitor/host-0", b"x", 0)])
    assert [record.key for record in sqlite_log.scan(HEALTH_PARTITION)] == [b"worker/host-0", b"monitor/host-0"]


@pytest.fixture
def sqlite_log(tmp_path):
    from consumers.log.sqlite.log import SqliteLog

    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        yield log


def test_a_feeder_writes_heartbeats_and_says_when_it_has_stopped(log):
    items = [Item(f"m{number}", b"Subject: x\n\n", None) for number in range(3)]

    def fail():
        yield items[0]
        raise OSError("the source is gone")

    Feeder(log).run(items)
    with pytest.raises(OSError, match="gone"):
        Feeder(log, rate=1e6).run(fail())
    beats = [read_heartbeat(record) for record in log.scan(HEALTH_PARTITION)]
    assert [(beat.stage, beat.stopped) for beat in beats] == [("feed", False), ("feed", True), ("feed", True)]


def test_what_ends_a_stage_is_raised_although_its_last_heartbeat_cannot_be_written():
    class Away:
        def append(self, records):
            raise LogUnavailable("the log is away")

    with pytest.raises(KeyboardInterrupt), HeartbeatWriter(Away(), "feed", "host-0"):
        raise KeyboardInterrupt
    with pytest.raises(LogUnavailable), HeartbeatWriter(Away(), "feed", "host-0"):
        pass
