"""The latest heartbeat of each process."""

from __future__ import annotations

import pytest

from consumers.log.memory import MemoryLog
from consumers.monitor.health import SILENT_S, HealthObserver
from consumers.monitor.heartbeats import EXPIRED_S, LatestHeartbeats
from consumers.records.heartbeat import HEALTH_PARTITION, WORKER, HeartbeatWriter
from tests.support.memory_log import new_log

NOW = 1_800_000_000.0


@pytest.fixture
def log() -> MemoryLog:
    return new_log(2)


def beat(log: MemoryLog, member: str, ago: float = 0.0) -> None:
    """A heartbeat whose process takes the time for `ago` seconds before NOW."""
    HeartbeatWriter(log, WORKER, member, clock=lambda: NOW - ago).beat()


def members(heartbeats: LatestHeartbeats) -> list[str]:
    return [each.member for each in heartbeats.follow(NOW)]


def test_old_heartbeats_are_deleted_from_the_topic(log):
    for number in range(5):
        beat(log, f"pod-{number}", EXPIRED_S + 10 - number)
    heartbeats = LatestHeartbeats(log)
    assert len(members(heartbeats)) == 5
    assert [record.key for record in heartbeats.expired(NOW)] == [b"worker/pod-%d" % number for number in range(4)]
    log.append(heartbeats.expired(NOW))
    assert members(heartbeats) == ["pod-4"]
    assert heartbeats.expired(NOW) == []


def test_a_topic_that_was_created_anew_is_read_from_its_start(log):
    for name in ("old-0", "old-1"):
        beat(log, name)
    heartbeats = LatestHeartbeats(log)
    assert members(heartbeats) == ["old-0", "old-1"]
    log.topics.records[HEALTH_PARTITION].clear()
    beat(log, "new")
    assert members(heartbeats) == ["new"]


def test_the_first_read_waits_for_a_log_that_is_slow_to_answer(log, monkeypatch):
    """Under a quota `top` printed once said that a worker never ran."""
    beat(log, "pod")
    read = log.read
    monkeypatch.setattr(log, "read", lambda places, timeout_s: read(places) if timeout_s > 2 else [])
    assert members(LatestHeartbeats(log)) == ["pod"]


@pytest.mark.parametrize("ahead", [-3600.0, 3600.0])
def test_a_process_whose_clock_is_wrong_is_silent_as_soon_as_any_other(log, ahead):
    """By its own time a dead process ran on for an hour, and one that runs was always silent."""
    observer = HealthObserver(log)

    def state(now: float) -> str:
        return next(stage.state for stage in observer.look(now).stages if stage.stage == WORKER)

    assert state(NOW - 1.0) == "never ran"
    beat(log, "pod", -ahead)
    assert state(NOW) == "running"
    assert state(NOW + SILENT_S - 2.0) == "running"
    assert state(NOW + SILENT_S + 1.0) == "silent"


def test_a_heartbeat_that_was_there_before_is_no_newer_than_now(log):
    beat(log, "dead", -3600.0)
    beat(log, "old", 60.0)
    assert {each.member: each.timestamp for each in LatestHeartbeats(log).follow(NOW)} == {"dead": NOW, "old": NOW - 60}


def test_a_heartbeat_that_was_there_before_is_no_older_than_those_before_it(log):
    """`top` printed once called a worker silent whose clock was behind, although a monitor beat before it."""
    beat(log, "right", 3.0)
    beat(log, "behind", 3600.0)
    assert {each.member: each.timestamp for each in LatestHeartbeats(log).follow(NOW)} == dict.fromkeys(
        ("right", "behind"), NOW - 3
    )


def started(log: MemoryLog, member: str, at: float) -> HeartbeatWriter:
    """A new process with its first heartbeat."""
    writer = HeartbeatWriter(log, WORKER, member, clock=lambda: at, timer=iter(range(0, 1_000, 10)).__next__)
    writer.beat()
    return writer


def restarts(heartbeats: LatestHeartbeats, now: float) -> list[int]:
    return [heartbeats.restarts(each) for each in heartbeats.follow(now)]


def test_restarts_of_the_last_minute_are_counted(log):
    for number in range(4):
        started(log, "loops", NOW + 10 * number)
    started(log, "fine", NOW).beat()
    heartbeats = LatestHeartbeats(log)
    assert restarts(heartbeats, NOW + 40) == [3, 0]
    assert restarts(heartbeats, NOW + 75) == [1, 0]
    assert restarts(heartbeats, NOW + 90) == [0, 0]


def test_a_start_after_an_orderly_end_is_no_restart(log):
    for number in range(4):
        started(log, "short", NOW + 2 * number).beat(stopped=True)
    assert restarts(LatestHeartbeats(log), NOW + 10) == [0]


def test_processes_of_one_name_that_run_are_no_restarts_of_one(log):
    for number in range(6):
        started(log, "feed", NOW + number).beat()
    assert restarts(LatestHeartbeats(log), NOW + 10) == [0]
