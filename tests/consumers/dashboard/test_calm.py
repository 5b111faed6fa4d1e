"""The layout does not shift while the page loads or mail arrives, and slow requests are shown as busy."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from consumers.dashboard.page import PAGES
from consumers.records.heartbeat import FEED, HeartbeatWriter
from tests.consumers.dashboard.test_looks import READY
from tests.support.browser import wait_until
from tests.support.page_mails import play, play_classes, play_features

MOST_SHIFT = 0.05
"""The sum of layout shifts from which on pages are called restless; 0.1 is "good" by https://web.dev/articles/cls."""
WATCH_SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
      const moved = entry.sources.map((source) => source.node && (source.node.id || source.node.className));
      window.shifts.push([entry.value, moved.join(" ")]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", PAGES)
def test_the_layout_does_not_shift_while_mail_arrives(stage, open_page, name, width):
    play_features(stage, 60)
    play_classes(stage, 100)
    stage.beat()
    page = open_page(f"{stage.server.url}{name}", viewport={"width": width, "height": 900})
    page.evaluate(WATCH_SHIFTS)
    page.locator(READY[name]).first.wait_for()
    for seed in (1, 2, 3):
        play_classes(stage, 30, seed)
        mails = stage.monitor.view.mails
        shown = "async (mails) => (await import('./static/store.js')).store.view?.mails >= mails"
        wait_until(page, shown, mails)
    page.wait_for_timeout(300)
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts


@pytest.mark.parametrize("width", [1280, 390])
def test_the_layout_does_not_shift_while_listed_mails_are_labelled(stage, open_page, width):
    for number in range(30):
        stage.mail(f"m{number}", f"hello {number}")
    stage.reconcile()
    stage.beat()
    HeartbeatWriter(stage.log, FEED, "host-0").beat(stopped=True)
    page = open_page(f"{stage.server.url}mail", viewport={"width": width, "height": 900})
    page.evaluate(WATCH_SHIFTS)
    page.locator(".mail").nth(29).wait_for()
    for number in range(29, 19, -1):
        stage.label(f"m{number}", "ham")
        stage.reconcile()
        page.locator(".mail", has_text=f"hello {number}").get_by_text("learned").wait_for()
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts


def test_a_slow_request_is_shown_as_busy(stage, open_page):
    play(stage, 60)
    page = open_page(f"{stage.server.url}mail")
    page.route("**/api/why*", lambda route: page.wait_for_timeout(1_500) or route.continue_())
    page.locator(".mail .subject").first.click()
    expect(page.locator("body")).to_have_class("busy")
    page.wait_for_selector("#why-sum")
    expect(page.locator("body")).not_to_have_class("busy")
