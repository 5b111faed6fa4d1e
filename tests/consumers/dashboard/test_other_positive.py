"""Mails that were scored for another positive class than that of the page: the setting was changed since, or is another
for the worker."""

from __future__ import annotations

import msgspec
from playwright.sync_api import expect

from consumers.monitor.service import Monitor
from consumers.settings import LearnerSettings
from tests.support.page_mails import play
from tests.support.page_stage import Stage


def rename_positive(stage: Stage, positive: str) -> None:
    """Start monitor and dashboard again with another positive class."""
    stage.settings = msgspec.structs.replace(stage.settings, learner=LearnerSettings(positive=positive))
    stage.monitor = Monitor(stage.open_log(), stage.settings)
    stage.restart_server()
    stage.reconcile()


def test_probabilities_of_another_class_are_not_shown_as_those_of_the_positive_one(stage, open_page):
    for number in range(20):
        label = ("junk", "mail")[number % 2]
        stage.mail(f"m{number}", f"it is {label}", f"{label} words")
        stage.label(f"m{number}", label)
        stage.reconcile()
    rename_positive(stage, "junk")
    page = open_page(f"{stage.server.url}mail")
    row = page.locator(".mail").first
    expect(row.locator(".said")).to_have_text("mail")
    expect(row.locator(".probability")).to_contain_text("ahead of junk")
    expect(row.locator(".gauge svg")).to_have_count(0)
    row.locator(".subject").click()
    page.locator("#why-sum").wait_for()
    arrived = page.locator("#why-body dd").first
    expect(arrived).to_contain_text("mail +")


def test_mails_scored_for_the_class_of_the_page_have_its_probability(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}mail")
    expect(page.locator(".mail .probability").first).to_contain_text("% spam")
