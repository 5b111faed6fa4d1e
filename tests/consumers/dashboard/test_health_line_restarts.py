"""A process that fails again and again is reported, although each of its starts writes heartbeats."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from consumers.monitor.health import MANY_RESTARTS
from consumers.records.heartbeat import MONITOR, WORKER, HeartbeatWriter
from tests.consumers.dashboard.test_health_line import beat, expect_line, expect_part

pytestmark = pytest.mark.usefixtures("quick_looks")


def test_a_worker_that_restarts_in_a_loop_is_not_live(stage, open_page):
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
