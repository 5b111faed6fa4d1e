"""Which stages run, and their backlog, from heartbeats and the ends of the topics."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from threading import Event, Thread

import pytest

from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.log.memory import MemoryLog
from consumers.monitor import process as monitor_process
from consumers.monitor.health import MANY_RESTARTS, SHOWN_S, SILENT_S, HealthObserver, StageHealth
from consumers.monitor.service import Monitor
from consumers.monitor.stages import needed_stages
from consumers.records.heartbeat import (
    COMBINER,
    FILTER,
    HEALTH_PARTITION,
    HEARTBEAT_S,
    MONITOR,
    WORKER,
    HeartbeatWriter,
)
from consumers.records.schemas import EMAILS, HEALTH, LABELS, MODEL, PREDICTIONS, LabelRecord, encode
from consumers.records.setup import open_ready_log
from consumers.settings import LearnerSettings, MonitorSettings, Settings, WorkerSettings
from consumers.worker import process as worker_process
from consumers.worker.worker import Worker
from tests.support.memory_log import new_log
from tests.support.monitor_stream import read_to_end
from tests.support.waiting import until
from tests.support.worker_run import run_worker, step_until_done

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.01), monitor=MonitorSettings(port=0))
NOW = 1_800_000_000.0


@pytest.fixture
def log() -> MemoryLog:
    return new_log(2)


def mails(log: MemoryLog, number: int, partition: int = 0) -> None:
    log.append([ProducerRecord(EMAILS, b"m%d" % n, b"Subject: x\n\n", partition) for n in range(number)])


def beat(log: MemoryLog, member: str, ago: float = 0.0, stopped: bool = False, stage: str = WORKER, **held) -> None:
    """A heartbeat `ago` seconds before NOW; `held` are topics and partitions: ``emails_0=Progress(...)``."""
    progress = {TopicPartition(name[:-2], int(name[-1])): how_far for name, how_far in held.items()}
    HeartbeatWriter(log, stage, member, lambda: progress, lambda: NOW - ago).beat(stopped)


def found(log: MemoryLog, stage: str = WORKER, now: float = NOW) -> list[StageHealth]:
    return [each for each in HealthObserver(log).look(now).stages if each.stage == stage]


def backlog(health: StageHealth) -> dict[str, int]:
    return {each.topic: each.records for each in health.backlog}


def test_a_stage_that_no_log_needs_is_expected_for_a_day_after_it_died(log):
    beat(log, "a", ago=SILENT_S + 1, stage=FILTER)
    assert HealthObserver(log).look(NOW).expected == (WORKER, MONITOR, FILTER)
    assert HealthObserver(log).look(NOW + SHOWN_S).expected == (WORKER, MONITOR)
    beat(log, "b", stopped=True, stage=FILTER)
    assert HealthObserver(log).look(NOW).expected == (WORKER, MONITOR)


def test_the_backlog_of_a_stage_that_never_ran_is_all_records(log):
    mails(log, 3)
    mails(log, 2, partition=1)
    (worker,) = found(log)
    assert (worker.state, worker.seen_at, worker.command) == ("never ran", 0.0, "stream-nb worker")
    assert backlog(worker) == {EMAILS: 5, LABELS: 0}
    (monitor,) = found(log, MONITOR)
    assert (monitor.state, monitor.command) == ("never ran", "stream-nb monitor")


@pytest.mark.parametrize(
    ("unread", "ago", "stopped", "state"),
    [
        (1_000, SILENT_S, False, "running"),
        (1_001, 0.0, False, "behind"),
        (1_001, SILENT_S + 1, False, "silent"),
        (0, 0.0, True, "stopped"),
        (0, 9 * SHOWN_S, True, "stopped"),
        (0, 9 * SHOWN_S, False, "silent"),
    ],
)
def test_the_state_depends_on_the_age_of_the_heartbeat_and_the_backlog(log, unread, ago, stopped, state):
    mails(log, unread)
    beat(log, "host-0", ago, stopped, emails_0=Progress(0, unread))
    (worker,) = found(log)
    assert (worker.state, worker.name, worker.member, worker.seen_at) == (state, "worker", "host-0", NOW - ago)
    assert backlog(worker)[EMAILS] == unread


def test_a_process_that_loads_is_starting(log):
    HeartbeatWriter(log, WORKER, "host-0", clock=lambda: NOW).beat(starting="compiling \u202e")
    (worker,) = found(log)
    assert (worker.state, worker.note, worker.runs) == ("starting", "compiling ⟨U+202E⟩", False)
    assert found(log, now=NOW + 60)[0].state == "starting", "it may compile one function for a minute"
    assert found(log, now=NOW + 121)[0].state == "silent"


def test_a_process_that_fails_again_and_again_is_restarting(log):
    """Between its starts it wrote heartbeats, so it seemed to run or to start."""
    for number in range(1 + MANY_RESTARTS):
        assert not number or found(log)[0].state == "starting"
        HeartbeatWriter(log, WORKER, "host-0", clock=lambda at=number - 20: NOW + at).beat(starting="reading")
    (worker,) = found(log)
    assert (worker.state, worker.restarts, worker.runs) == ("restarting", MANY_RESTARTS, False)
    assert worker.note == f"{MANY_RESTARTS} times in a minute; read its output"
    assert found(log, now=NOW + 45)[0].state == "starting"
    HeartbeatWriter(log, WORKER, "host-0", clock=lambda: NOW).beat(stopped=True)
    assert found(log)[0].state == "stopped"


def test_a_silent_process_s_backlog_is_counted_on_the_log_and_a_running_one_s_is_as_reported(log):
    mails(log, 10)
    beat(log, "host-0", emails_0=Progress(4, 0))
    assert backlog(found(log)[0]) == {EMAILS: 0}
    assert backlog(found(log, now=NOW + 60)[0]) == {EMAILS: 6}
    mails(log, 5)
    assert backlog(found(log, now=NOW + 60)[0]) == {EMAILS: 11}


def test_a_partition_s_backlog_belongs_to_the_process_that_held_it_last(log):
    mails(log, 10)
    mails(log, 10, partition=1)
    both = {"emails_0": Progress(2, 8), "emails_1": Progress(3, 7)}
    beat(log, "a-0", 100.0, **both)
    beat(log, "b-0", 1.0, emails_1=Progress(6, 4))
    first, second = found(log)
    assert [(one.name, one.state, backlog(one)) for one in (first, second)] == [
        ("worker 1", "silent", {EMAILS: 8}),
        ("worker 2", "running", {EMAILS: 4}),
    ]
    beat(log, "b-0", 0.0, **both)
    first, second = found(log)
    assert (first.state, first.backlog, backlog(second)) == ("silent", [], {EMAILS: 15})


def test_stopped_and_long_silent_processes_are_not_listed_while_others_run(log):
    beat(log, "b-0", SHOWN_S + 1)
    beat(log, "a-0", 100.0, stopped=True)
    beat(log, "c-0")
    assert [one.member for one in found(log)] == ["c-0"]
    assert [one.member for one in found(log, now=NOW + SHOWN_S)] == ["c-0"]


def test_process_names_are_sanitized_and_invalid_records_skipped(log):
    beat(log, "a\u202eb")
    log.append([ProducerRecord(HEALTH, b"worker/x", b"{", 0), ProducerRecord(HEALTH, None, None, 0)])
    beat(log, "far", emails_7=Progress(0, 0), ago=60.0)
    assert [one.member for one in found(log)] == ["a⟨U+202E⟩b", "far"]


def test_worker_and_monitor_report_their_progress(log):
    mails(log, 20)
    label = LabelRecord("m1", "spam", "people", time.time())
    log.append([ProducerRecord(LABELS, b"m1", encode(label), 0)])
    worker = Worker(MemoryLog(log.topics), SETTINGS, "worker-0")
    worker.step()
    assert worker.progress()[TopicPartition(EMAILS, 0)] == (0, 20)
    step_until_done(worker)
    assert worker.progress()[TopicPartition(EMAILS, 0)] == (20, 0)
    assert worker.progress()[TopicPartition(LABELS, 0)] == (1, 0)
    monitor = Monitor(MemoryLog(log.topics), SETTINGS, clock=lambda: 0.0)
    monitor.step(timeout_s=0.0)
    assert monitor.progress()[TopicPartition(PREDICTIONS, 0)] == (0, 20)
    read_to_end(monitor)
    monitor.publish(curves=False)
    assert monitor.progress()[TopicPartition(PREDICTIONS, 0)] == (20, 0)
    assert {each.stage: each.state for each in monitor.health.stages} == {WORKER: "never ran", MONITOR: "never ran"}


def test_a_monitor_with_nothing_new_writes_nothing_to_its_topic(log):
    mails(log, 5)
    run_worker(log)
    later = [0.0]
    monitor = Monitor(
        MemoryLog(log.topics), SETTINGS, clock=lambda: later[0], wall_clock=lambda: time.time() + later[0]
    )
    read_to_end(monitor)
    assert monitor.state.mails == 5
    later[0] = 7_200.0  # the rates in the view no longer change
    monitor.publish(curves=True)
    end = log.end_offset(TopicPartition("monitor", 0))
    later[0] += 2 * HEARTBEAT_S
    monitor.step(timeout_s=0.0)
    assert log.end_offset(TopicPartition("monitor", 0)) == end


@pytest.mark.parametrize(
    ("stage", "run"), [(WORKER, worker_process.run), (MONITOR, partial(monitor_process.run, notify=print))]
)
def test_a_process_is_shown_as_running_and_then_as_stopped(tmp_path, monkeypatch, stage, run):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))  # separate process slots for the test
    settings = Settings(log=f"sqlite:{tmp_path}/log", worker=SETTINGS.worker, monitor=SETTINGS.monitor)
    stop = Event()
    thread = Thread(target=run, args=(settings, stop))
    with open_ready_log(settings, print) as log:
        thread.start()
        observer = HealthObserver(log)

        def state() -> str:
            (one,) = [each for each in observer.look(time.time()).stages if each.stage == stage]
            return one.state

        until(lambda: state() == "running")
        stop.set()
        thread.join()
        assert state() == "stopped"
        assert [record.key.split(b"/")[0] for record in log.scan(HEALTH_PARTITION)] == [stage.encode()]


def test_running_workers_with_different_settings_are_reported(log):
    def beat_with(member: str, ago: float = 0.0, **learner) -> None:
        settings = LearnerSettings(**learner)
        HeartbeatWriter(log, WORKER, member, clock=lambda: NOW - ago, learner=settings).beat()

    beat_with("c", smoothing=2.0, ago=SILENT_S + 1)
    beat(log, "older-version")
    beat_with("a")
    beat_with("b", follow="sums")
    assert HealthObserver(log).look(NOW).differences == []

    beat_with("d", smoothing=5.0, positive="\x1bham")
    assert HealthObserver(log).look(NOW).differences == ["positive ⟨U+001B⟩ham or spam", "smoothing 0.1 or 5.0"]


def test_a_combiner_is_needed_if_processes_follow_sums(log):
    mails(log, 3)
    assert found(log, COMBINER) == []
    needed = needed_stages(LearnerSettings(follow="sums"))
    looked = HealthObserver(log, needed).look(NOW)
    (combiner,) = [each for each in looked.stages if each.stage == COMBINER]
    assert (combiner.state, combiner.command) == ("never ran", "stream-nb combiner")
    assert looked.expected == needed == (WORKER, MONITOR, COMBINER)
    assert needed_stages(LearnerSettings()) == (WORKER, MONITOR)
    beat(log, "host-0", stage=COMBINER, model_0=Progress(0, 3))
    assert backlog(found(log, COMBINER)[0]) == {MODEL: 3}
