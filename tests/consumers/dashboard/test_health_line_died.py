"""A filter or feed that died is named on every page for a day; one that was stopped, or runs elsewhere, is not."""

from __future__ import annotations

import pytest

from consumers.monitor.health import SHOWN_S
from consumers.monitor.stages import COMMANDS
from consumers.records.heartbeat import FEED, FILTER, MONITOR, WORKER
from tests.consumers.dashboard.test_health_line import beat, expect_line

pytestmark = pytest.mark.usefixtures("quick_looks")


@pytest.mark.parametrize("name", [FILTER, FEED])
def test_a_stage_that_died_is_reported_until_it_was_stopped(stage, open_page, name):
    for each in (WORKER, MONITOR):
        beat(stage, each)
    page = open_page(stage.server.url)
    expect_line(page, "live", "Live; no mail yet")
    beat(stage, name, ago=95)
    expect_line(page, "late", f"{name.capitalize()} silent for 2 min; start it or read its output: {COMMANDS[name]}")
    beat(stage, name, stopped=True)
    expect_line(page, "live", "Live; no mail yet")


def test_a_filter_that_died_long_ago_is_not_reported(stage, open_page):
    for each in (WORKER, MONITOR):
        beat(stage, each)
    beat(stage, FILTER, ago=SHOWN_S + 60)
    expect_line(open_page(stage.server.url), "live", "Live; no mail yet")
