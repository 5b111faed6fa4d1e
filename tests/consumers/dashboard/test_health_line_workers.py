"""The page is not live while partitions of one of several workers wait for another one."""

from __future__ import annotations

import time

import pytest

from consumers.log.base import TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.records.heartbeat import MONITOR, WORKER, HeartbeatWriter
from consumers.records.schemas import EMAILS, LABELS
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
