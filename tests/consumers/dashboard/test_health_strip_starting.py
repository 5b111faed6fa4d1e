"""While a worker compiles, the strip shows the other parts in full."""

from __future__ import annotations

import time

from consumers.cli.worker_start import NOTE
from consumers.records.heartbeat import FEED, MONITOR, WORKER, HeartbeatWriter
from tests.consumers.dashboard.test_health_line import CUT, HOUR_S, beat, expect_part


def test_a_long_state_does_not_truncate_the_others(stage, open_page):
    beat(stage, MONITOR)
    beat(stage, FEED, ago=200, stopped=True)
    HeartbeatWriter(stage.log, WORKER, "host-0", clock=lambda: time.time() + HOUR_S).beat(starting=NOTE)
    page = open_page(stage.server.url, viewport={"width": 1265, "height": 900})
    expect_part(page, "worker", "late", f"starting: {NOTE}")
    expect_part(page, "feed", "", "stopped for 3 min")
    assert page.locator('#health a:not([data-part="worker"])').evaluate_all(CUT) == []
