"""If processes follow sums, the page is live only with a combiner."""

from __future__ import annotations

import pytest

from consumers.records.heartbeat import COMBINER, MONITOR, WORKER
from tests.consumers.dashboard.test_health_line import beat, expect_line, expect_part

pytestmark = pytest.mark.usefixtures("quick_looks")


def test_a_needed_combiner_that_does_not_run_is_reported(make_stage, open_page):
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


def test_a_combiner_that_is_not_needed_may_be_stopped(make_stage, open_page):
    stage = make_stage()
    for name in (WORKER, MONITOR):
        beat(stage, name)
    beat(stage, COMBINER, ago=95, stopped=True)
    page = open_page(stage.server.url)
    expect_line(page, "live", "Live; no mail yet")
    expect_part(page, COMBINER, "", "stopped for 2 min")
