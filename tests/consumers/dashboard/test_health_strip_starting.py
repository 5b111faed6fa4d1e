"""The strip shows all its parts in full, however many there are and whatever they do."""

from __future__ import annotations

import time

import pytest

from consumers.cli.worker_start import NOTE
from consumers.records.heartbeat import FEED, MONITOR, STAGES, WORKER, HeartbeatWriter
from tests.consumers.dashboard.test_health_line import CUT, HOUR_S, beat, expect_part
from tests.consumers.dashboard.test_looks import BOXES

pytestmark = pytest.mark.usefixtures("quick_looks")


def test_a_long_state_does_not_truncate_the_others(stage, open_page):
    beat(stage, MONITOR)
    beat(stage, FEED, ago=200, stopped=True)
    HeartbeatWriter(stage.log, WORKER, "host-0", clock=lambda: time.time() + HOUR_S).beat(starting=NOTE)
    page = open_page(stage.server.url, viewport={"width": 1265, "height": 900})
    expect_part(page, "worker", "late", f"starting: {NOTE}")
    expect_part(page, "feed", "", "stopped for 3 min")
    assert page.locator("#health a").evaluate_all(CUT) == []
    assert page.evaluate(BOXES) == []


def test_all_stages_are_seen_whole(stage, open_page):
    for name in STAGES:
        HeartbeatWriter(stage.log, name, "host-0", clock=lambda: time.time() + HOUR_S).beat()
    beat(stage, WORKER, ago=400, emails=123_456)
    page = open_page(stage.server.url, viewport={"width": 1265, "height": 900})
    expect_part(page, "combiner", "live", "running, seen now")
    expect_part(page, "worker", "late", "silent for 7 min")
    assert page.evaluate(BOXES) == []
