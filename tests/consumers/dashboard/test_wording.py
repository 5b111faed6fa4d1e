"""What the page says about few mails, and about one class."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import expect

from consumers.dashboard.app import STATIC
from consumers.monitor.figures.joiner import Outcome
from consumers.monitor.figures.window_stats import WindowStats


def test_one_mail_is_not_called_mails(stage, open_page):
    stage.mail("m0", "one", "lunch at noon")
    stage.reconcile()
    stage.label("m0", "ham")
    stage.reconcile()
    stage.mail("m1", "two", "money and pills")
    stage.reconcile()
    page = open_page(stage.server.url)
    expect(page.locator('[data-tile^="Mails per"] .below')).to_have_text("2 mails, 1 labelled since start")
    expect(page.locator("#confusion .note")).to_contain_text("1 labelled mail, last 1,000.")
    page.goto(f"{stage.server.url}quality")
    page.get_by_role("button", name="Compute for the last labelled mails").click()
    expect(page.locator("#smoothing-note")).to_contain_text("on the last labelled mail by lambda, scored without")
    page.goto(f"{stage.server.url}mail")
    page.locator(".mail", has_text="two").locator(".subject").click()
    expect(page.locator("#why-body")).to_contain_text("scored with 1 label learned")


def test_the_first_mail_is_counted_as_one(stage, open_page):
    stage.mail("m0", "one")
    stage.reconcile()
    page = open_page(stage.server.url)
    expect(page.locator('[data-tile^="Mails per"] .below')).to_have_text("1 mail, 0 labelled since start")


def test_smoothing_that_makes_no_difference_is_not_called_best(stage, open_page):
    stage.mail("m0", "one", "lunch at noon")
    stage.label("m0", "ham")
    stage.reconcile()
    page = open_page(f"{stage.server.url}quality")
    page.get_by_role("button", name="Compute for the last labelled mails").click()
    note = "In use: 0.1 (0.00\N{NO-BREAK SPACE}%); no other value is better."
    expect(page.locator("#smoothing-note")).to_contain_text(note)


def test_with_one_class_nobody_is_told_to_change_the_settings_at_once(stage, open_page):
    stage.mail("m0", "one", "lunch at noon")
    stage.label("m0", "ham")
    stage.reconcile()
    page = open_page(f"{stage.server.url}quality")
    expect(page.locator("#no-positive")).to_contain_text("yet. If yours has another name, name it to worker")
    page.goto(f"{stage.server.url}words")
    expect(page.locator("#word-lists .card").first).to_contain_text("No word tells this class from another yet.")


def test_one_source_that_labels_a_senders_mails_differently_is_not_people_who_disagree(stage, open_page):
    for number in range(8):
        stage.mail(f"m{number}", "news", f"word{number}", sender="news@example.org")
        stage.label(f"m{number}", "spam" if number % 2 else "ham")
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    expect(page.locator("#disagreement h2")).to_have_text("Senders whose mails have different labels")
    expect(page.locator("#disagreement .note")).to_contain_text("If people disagree about its mail")


def test_what_each_of_many_classes_would_do_does_not_hide_the_words(stage, open_page):
    for number in range(24):
        stage.mail(f"m{number}", f"mail {number}", f"topic{number % 12}")
        stage.label(f"m{number}", f"class {number % 12}")
    stage.reconcile()
    stage.mail("new", "new", "topic3 topic5")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": 1280, "height": 900})
    page.locator(".mail .subject").first.click()
    page.wait_for_selector("#why-sum")
    why, words = page.locator("#why").bounding_box(), page.locator("#why .terms").bounding_box()
    assert words["y"] < why["y"] + why["height"] - 100
    page.locator("#why summary", has_text="If you label it").click()
    expect(page.locator("#why dt", has_text="class 11")).to_be_visible()


def test_the_losses_are_what_the_page_says_of_them():
    stats = WindowStats("spam")
    stats.update(Outcome("m", "spam", "spam", 2.0, 0.9, timestamp=0.0))
    losses = stats.mean_losses()
    assert losses["L2"] == pytest.approx(4 * (1 - 0.9) ** 2)
    assert losses["hinge"] == pytest.approx(1 - 0.8)
    assert losses["exponential"] == pytest.approx(math.exp(-0.8))
    glossary = (STATIC / "glossary.js").read_text("utf-8")
    assert "four times the Brier score, 0 to 4" in glossary
    assert "how far h falls short of complete certainty" in glossary
    assert "e to the power of \N{MINUS SIGN}y h" in glossary


def test_a_source_without_labels_has_nothing_to_withdraw(stage, open_page):
    stage.mail("m0", "one", "lunch at noon")
    stage.label("m0", "ham", source="ann")
    stage.label("m0", None, source="ann")
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    for toast in ("1 label of ann is being withdrawn.", "ann has no label to withdraw."):
        page.get_by_role("button", name="Undo ann").click()
        page.get_by_role("button", name="Withdraw all labels").click()
        expect(page.locator("#toast")).to_have_text(toast)
