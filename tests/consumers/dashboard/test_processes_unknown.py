"""The table of processes claims nothing that the log or the server can no longer confirm."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from consumers.records.heartbeat import MONITOR, WORKER
from tests.consumers.dashboard.test_health_line import beat

pytestmark = pytest.mark.usefixtures("quick_looks")


def test_states_are_unknown_while_the_log_or_the_server_does_not_answer(stage, open_page):
    for name in (WORKER, MONITOR):
        beat(stage, name)
    page = open_page(f"{stage.server.url}operations")
    states = page.locator("#processes .status")
    expect(states).to_have_text(["running", "running"], timeout=15_000)
    kept = dict(stage.topics.specs)
    stage.topics.specs.clear()  # every request about a topic now fails
    expect(states).to_have_text(["unknown", "unknown"], timeout=15_000)
    assert states.evaluate_all("nodes => nodes.map(node => node.dataset.kind)") == ["", ""]
    stage.topics.specs.update(kept)
    expect(states).to_have_text(["running", "running"], timeout=15_000)
    stage.close()
    expect(states).to_have_text(["unknown", "unknown"], timeout=15_000)
    page.complaints.clear()  # the browser reports the lost connection
