"""The page reports workers with different settings, whose scores are not comparable, until they agree."""

from __future__ import annotations

import time

import pytest

from consumers.records.heartbeat import MONITOR, WORKER, HeartbeatWriter
from consumers.settings import LearnerSettings
from tests.consumers.dashboard.test_health_line import HOUR_S, beat, expect_line

pytestmark = pytest.mark.usefixtures("quick_looks")


def test_workers_with_different_settings_are_reported(stage, open_page):
    def beat_with(member: str, learner: LearnerSettings) -> None:
        HeartbeatWriter(stage.log, WORKER, member, clock=lambda: time.time() + HOUR_S, learner=learner).beat()

    beat(stage, MONITOR)
    beat_with("host-0", LearnerSettings())
    beat_with("host-1", LearnerSettings(smoothing=5.0))
    page = open_page(stage.server.url)
    expect_line(page, "late", "Workers differ in [learner]: smoothing 0.1 or 5.0; start all with the same settings")
    beat_with("host-0", LearnerSettings(smoothing=5.0))
    expect_line(page, "live", "Live; no mail yet")
