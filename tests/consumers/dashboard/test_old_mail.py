"""Mails are found further back than the page's list goes, and labelled there."""

from __future__ import annotations

from playwright.sync_api import expect

from consumers.monitor.topic import MAX_MAILS
from consumers.records.replay import final_labels


def test_an_old_mail_is_found_on_the_page_labelled_and_learned(stage, open_page):
    stage.mail("old", "the needle", "rare words")
    for number in range(MAX_MAILS + 10):
        stage.mail(f"m{number}", f"hay {number}", "hay")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail").first.wait_for()
    page.fill("#search", "needle")
    expect(page.locator("#found")).to_contain_text("Found in 1 of 2,011 mails")
    row = page.locator(".mail", has_text="the needle")
    row.get_by_role("button", name="This mail is spam").click()
    stage.settle_until(lambda: final_labels(stage.log).get("old") == "spam")
    row.get_by_text("✓ spam by tester, learned").wait_for()
