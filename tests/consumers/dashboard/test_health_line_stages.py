"""The status line reports stages that run in several processes, fail again and again, or died, and those on demand."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from consumers.log.base import TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.monitor.health import MANY_RESTARTS, SHOWN_S
from consumers.monitor.stages import COMMANDS
from consumers.records.heartbeat import COMBINER, FEED, FILTER, MONITOR, WORKER, HeartbeatWriter
from consumers.records.schemas import EMAILS, LABELS
from consumers.settings import LearnerSettings
from tests.consumers.dashboard.test_health_line import HOUR_S, beat, expect_line, expect_part, put

pytestmark = pytest.mark.usefixtures("quick_looks")


def beat_of(stage, member: str, partitions: tuple[int, ...], ago: float = -HOUR_S, stopped: bool = False) -> None:
    places = [TopicPartition(topic, partition) for topic in (EMAILS, LABELS) for partition in partitions]
    progress = dict.fromkeys(places, Progress(0, 0))
    HeartbeatWriter(stage.log, WORKER, member, lambda: progress, lambda: time.time() - ago).beat(stopped)


def test_a_dead_worker_is_reported_until_another_one_has_its_partitions(stage, open_page):
    beat(stage, MONITOR)
    beat_of(stage, "host-0", (0,))
    beat_of(stage, "host-1", (1,))
    page = open_page(stage.server.url)
    expect_line(page, "live", "Live; no mail yet")
    beat_of(stage, "host-0", (0,), ago=95)
    expect_line(page, "late", "Worker 1 silent for 2 min")
    put(stage, EMAILS, 80)
    expect_line(page, "late", "80 mails waiting, worker 1 silent for 2 min")
    beat_of(stage, "host-1", (0, 1))
    expect_line(page, "live", "Live; no mail yet")
    expect_part(page, "workers", "late", "1 of 2 running, worker 1 silent for 2 min")


def test_a_worker_that_was_stopped_is_reported_if_mail_waits_for_it(stage, open_page):
    beat(stage, MONITOR)
    beat_of(stage, "host-0", (0,), ago=95, stopped=True)
    beat_of(stage, "host-1", (1,))
    page = open_page(stage.server.url)
    expect_line(page, "live", "Live; no mail yet")
    put(stage, EMAILS, 1)
    expect_line(page, "late", "1 mail waiting, worker 1 stopped for 2 min")


def test_workers_with_different_settings_are_reported_because_their_scores_are_not_comparable(stage, open_page):
    def beat_with(member: str, learner: LearnerSettings) -> None:
        HeartbeatWriter(stage.log, WORKER, member, clock=lambda: time.time() + HOUR_S, learner=learner).beat()

    beat(stage, MONITOR)
    beat_with("host-0", LearnerSettings())
    beat_with("host-1", LearnerSettings(smoothing=5.0))
    page = open_page(stage.server.url)
    expect_line(page, "late", "Workers differ in [learner]: smoothing 0.1 or 5.0; start all with the same settings")
    beat_with("host-0", LearnerSettings(smoothing=5.0))
    expect_line(page, "live", "Live; no mail yet")


def test_a_worker_that_restarts_in_a_loop_is_not_live_although_each_start_writes_heartbeats(stage, open_page):
    beat(stage, MONITOR)
    page = open_page(f"{stage.server.url}operations")
    expect_line(page, "late", "No worker yet; start one: stream-nb worker")
    for number in range(1 + MANY_RESTARTS):
        HeartbeatWriter(stage.log, WORKER, "host-0", clock=lambda at=number: time.time() - 10 + at).beat()
    told = f"restarting: {MANY_RESTARTS} times in a minute; read its output"
    expect_line(page, "late", f"Worker {told}")
    expect_part(page, "worker", "late", told)
    expect(page.locator('#processes [data-process="worker"] .status')).to_have_text("restarting")
    expect(page.locator("#missing")).to_contain_text(f"The worker is {told}")


@pytest.mark.parametrize("name", [FILTER, FEED])
def test_a_stage_that_died_is_reported_until_it_was_stopped(all_run, open_page, name):
    page = open_page(all_run.server.url)
    expect_line(page, "live", "Live; no mail yet")
    beat(all_run, name, ago=95)
    expect_line(page, "late", f"{name.capitalize()} silent for 2 min; start it or read its output: {COMMANDS[name]}")
    beat(all_run, name, stopped=True)
    expect_line(page, "live", "Live; no mail yet")


def test_a_filter_that_died_long_ago_is_not_reported(all_run, open_page):
    beat(all_run, FILTER, ago=SHOWN_S + 60)
    expect_line(open_page(all_run.server.url), "live", "Live; no mail yet")


def test_a_combiner_that_does_not_run_is_reported_if_processes_follow_sums(make_stage, open_page):
    stage = make_stage(follow="sums")
    for name in (WORKER, MONITOR):
        beat(stage, name)
    page = open_page(stage.server.url)
    expect_line(page, "late", "No combiner yet; start one: stream-nb combiner")
    expect_part(page, COMBINER, "late", "not running: stream-nb combiner")
    beat(stage, COMBINER)
    expect_line(page, "live", "Live; no mail yet")
    beat(stage, COMBINER, ago=95)
    expect_line(page, "late", "Combiner silent for 2 min; labels of others arrive late")
    beat(stage, COMBINER, ago=95, stopped=True)
    expect_line(page, "late", "Combiner stopped for 2 min; labels of others arrive late")
    expect_part(page, COMBINER, "late", "stopped for 2 min")


def test_a_combiner_that_is_not_needed_may_be_stopped(all_run, open_page):
    beat(all_run, COMBINER, ago=95, stopped=True)
    page = open_page(all_run.server.url)
    expect_line(page, "live", "Live; no mail yet")
    expect_part(page, COMBINER, "", "stopped for 2 min")
