"""A log whose mail arrived on other days: each time that the page shows has its date."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.support.page_stage import Stage, settings_of

HOUR_S = 3_600.0


@pytest.fixture
def old_stage():
    """A log of forty labelled mails, the last of which arrived two days ago at noon in Tokyo; the first some hours
    earlier."""
    end = (time.time() // (24 * HOUR_S) - 2) * 24 * HOUR_S + 3 * HOUR_S
    now = {"is": end - 20 * HOUR_S}
    stage = Stage(settings_of(), clock=lambda: now["is"])
    for number in range(40):
        now["is"] += HOUR_S / 2 - 60
        stage.mail(f"m{number}", f"mail {number}", ("crypto money" if number > 20 else "money", "lunch")[number % 2])
        stage.label(f"m{number}", ("spam", "ham")[number % 2])
        stage.reconcile()
        now["is"] += 60
        stage.reconcile()
    yield stage, end
    stage.close()


DAY = "timestamp => import('/static/format.js').then(({ day }) => day(timestamp))"
MOMENT = "timestamp => import('/static/format.js').then(({ moment }) => moment(timestamp))"


def test_charts_and_words_of_other_days_have_their_date(old_stage, open_page):
    stage, end = old_stage
    page = open_page(f"{stage.server.url}words?word=crypto", timezone_id="Asia/Tokyo", locale="ar-EG")
    last_day = page.evaluate(DAY, end)
    titles = page.locator(".axis-title", has_text="time")
    expect(page.locator("#word-course .axis-title", has_text="time of the label")).to_contain_text(last_day)
    expect(page.locator("#word-lists")).to_contain_text(f"(since {page.evaluate(MOMENT, end - 9.5 * HOUR_S - 60)})")
    page.goto(f"{stage.server.url}operations")
    expect(titles.first).to_contain_text(last_day)
    page.goto(stage.server.url)
    expect(titles).to_contain_text(last_day)
    page.locator("#ranges").get_by_role("button", name="24 h").click()
    expect(titles).to_contain_text(last_day)
    page.locator("#accuracy-chart svg").hover()
    expect(page.locator("#accuracy-chart .readout > b")).to_contain_text(page.evaluate(DAY, end)[-3:])


def test_a_chart_leaves_out_the_time_when_the_clock_was_a_day_ahead(open_page):
    ahead = {"s": 24.25 * HOUR_S}  # a quarter more, else the new points replace the old ones in their ring
    stage = Stage(settings_of(), clock=lambda: time.time() + ahead["s"])
    try:
        for number in range(4):
            ahead["s"] = 24.25 * HOUR_S if number < 2 else 0.0
            stage.mail(f"m{number}", "hello")
            stage.label(f"m{number}", "ham")
            stage.reconcile()
        page = open_page(stage.server.url)
        expect(page.locator("#accuracy-chart .axis-title", has_text="time")).to_have_text("time →")
        page.close()  # before the server, of whose absence the browser would complain
    finally:
        stage.close()


def test_a_chart_of_today_has_times_only(stage, open_page):
    for number in range(4):
        stage.mail(f"m{number}", "hello")
        stage.label(f"m{number}", "ham")
    stage.reconcile()
    page = open_page(stage.server.url)
    expect(page.locator("#accuracy-chart .axis-title", has_text="time")).to_have_text("time →")
