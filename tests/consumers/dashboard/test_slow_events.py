"""Events that waited on a slow link: figures are as old as they are, and a new connection drops what waits."""

from __future__ import annotations

import time
from types import SimpleNamespace

from consumers.dashboard import app
from tests.support.browser import wait_until

AHEAD = "import('/static/server_clock.js').then(({ serverClock }) => serverClock.ahead)"
OPEN = "import('/static/connection.js').then(({ connection }) => connection.state === 'open')"


def delay_events(monkeypatch, seconds: float) -> None:
    """Let the server's events bear the time they would have if they arrived `seconds` after they were sent."""
    monkeypatch.setattr(app, "time", SimpleNamespace(time=lambda: time.time() - seconds))


def test_late_events_do_not_make_the_figures_look_young(stage, open_page, monkeypatch):
    monkeypatch.setattr(app, "SERVER_TIME_S", 0.2)
    stage.mail("m", "hello")
    stage.reconcile()
    page = open_page(stage.server.url)
    wait_until(page, OPEN)
    page.evaluate("new EventSource('events?since=').addEventListener('server_time', () => { window.times++; })")
    page.evaluate("window.times = 0")
    wait_until(page, "window.times > 2")
    delay_events(monkeypatch, 12.0)
    page.evaluate("window.times = 0")
    wait_until(page, "window.times > 5")
    assert abs(page.evaluate(AHEAD)) < 6.0


def test_much_older_events_open_a_new_connection(stage, open_page, monkeypatch):
    monkeypatch.setattr(app, "SERVER_TIME_S", 0.2)
    stage.beat()
    page = open_page(stage.server.url)
    page.locator('.status[data-kind="live"]').wait_for()
    with page.expect_request("**/api/state"):
        delay_events(monkeypatch, 60.0)
    page.locator('.status[data-kind="live"]').wait_for()
    wait_until(page, f"{AHEAD}.then((ahead) => ahead < -50)")
