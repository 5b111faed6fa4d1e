"""Mails dated in the future, because a producer's clock is ahead, or because that of the browser is behind."""

from __future__ import annotations

import time
from functools import partial

import pytest
from playwright.sync_api import expect

from consumers.dashboard import app
from consumers.log.base import ProducerRecord
from consumers.records.schemas import EMAILS
from tests.support.page_mails import play


def test_mails_dated_in_the_future_do_not_displace_new_ones(stage, open_page, monkeypatch):
    monkeypatch.setattr(app, "PageConstants", partial(app.PageConstants, max_mails=3))
    stage.mail("first", "came first")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    subjects = page.locator(".mail .subject")
    expect(subjects).to_have_text(["came first"])
    page.get_by_role("checkbox", name="Follow new mail").check()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    day_ahead = time.time() + 86_400
    for number in range(6):
        stage.log.append([ProducerRecord(EMAILS, b"a%d" % number, b"Subject: ahead\n\nhello", None, day_ahead)])
        stage.mail(f"m{number}", f"now {number}")
        stage.reconcile()
        page.get_by_text(f"now {number}").wait_for()


HOUR_BEHIND = "{ const now = Date.now; Date.now = () => now() - 3_600_000; }"


def test_a_browser_with_a_clock_behind_shows_the_whole_history_at_once(stage, open_page):
    """Nothing is sent later that would draw it again: no mail arrives."""
    play(stage, 60)
    page = open_page(stage.server.url)
    page.add_init_script(HOUR_BEHIND)
    page.goto(stage.server.url)
    expect(page.locator("#tiles")).to_contain_text("60 mails")
    expect(page.locator("#accuracy-chart svg")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "path"), [("words", "words"), ("features", "features"), ("ask", "ask"), ("quality", "policy")]
)
def test_what_a_page_asks_for_is_refreshed_after_the_clock_was_set_back(stage, open_page, name, path):
    play(stage, 20)
    page = open_page(stage.server.url)
    with page.expect_response(f"**/api/{path}"):
        page.goto(f"{stage.server.url}{name}")
    with page.expect_response(f"**/api/{path}"):
        page.evaluate(f"() => {HOUR_BEHIND}")
