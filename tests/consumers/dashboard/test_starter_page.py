"""The page of a model that began with a starter: its share, and what it adds to a score."""

from __future__ import annotations

from playwright.sync_api import expect

from stream_nb import MailNB
from stream_nb.mail_nb.starter import starter

WORDS = {"ham": "lunch at noon with the team", "spam": "win free money"}


def test_the_page_shows_the_share_of_the_starter_and_its_part_of_a_score(make_stage, open_page):
    experienced = MailNB(key=b"k" * 32)
    for number in range(40):
        label = ("ham", "spam")[number % 2]
        experienced.learn_one(f"{WORDS[label]} word{number}", label)
    stage = make_stage(starter(experienced))
    stage.mail("m0", "win free money", "win free money")
    stage.reconcile()

    page = open_page(f"{stage.server.url}operations")
    expect(page.locator("#model")).to_contain_text("Share of the starter that counts")
    expect(page.locator("#model dt", has_text="starter").locator("+ dd")).to_contain_text("100")
    page.goto(f"{stage.server.url}mail")
    page.locator(".mail .subject").first.click()
    without = page.locator("#why-body dt", has_text="Without the starter").locator("+ dd")
    expect(without).to_contain_text("0.00")

    stage.label("m0", "ham")  # its labels contradict the starter
    stage.mail("m1", "lunch at noon", "lunch at noon")
    stage.label("m1", "spam")
    stage.reconcile()
    page.goto(f"{stage.server.url}operations")
    expect(page.locator("#model dt", has_text="starter").locator("+ dd")).not_to_contain_text("100")
