"""What a screen reader says of a mail and its explanation: one sentence, not the whole explanation."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support.page_mails import play

READ_WHOLE = ":is([aria-live]:not([aria-live=off]), [role=status]) table"


@pytest.fixture
def taught(stage):
    for number in range(4):
        stage.mail(f"m{number}", f"mail {number}", "cheap pills" if number % 2 else "lunch at noon")
        stage.label(f"m{number}", "spam" if number % 2 else "ham")
    stage.reconcile()
    return stage


def test_the_explanation_of_a_score_is_summed_up(taught, open_page):
    page = open_page(f"{taught.server.url}mail")
    spoken = page.locator("#spoken")
    expect(spoken).to_be_empty()
    page.locator(".mail .subject").first.click()
    page.wait_for_selector("#why-sum")
    assert page.locator(READ_WHOLE).count() == 0
    expect(spoken).to_have_text(f"mail 3: {page.locator('#why-log-odds').inner_text()} for spam with today's model")
    page.goto(f"{taught.server.url}mail?mail=1/99&id=gone")
    for element in spoken, page.locator("#why-body .empty"):
        expect(element).to_have_text("This mail is no longer remembered.")


def test_what_the_model_knows_of_a_word_is_summed_up(taught, open_page):
    page = open_page(f"{taught.server.url}words?word=pills")
    page.locator("#word-answer .alone").wait_for()
    assert page.locator(READ_WHOLE).count() == 0
    alone = page.locator("#word-answer .alone").inner_text()
    expect(page.locator("#spoken")).to_have_text(f"pills: as pills it adds {alone} to the log-odds of spam")
    page.fill("#word", "unheard")
    page.press("#word", "Enter")
    expect(page.locator("#spoken")).to_have_text("unheard: The model does not know this word.")
    page.fill("#word", "cheap pills")
    page.press("#word", "Enter")
    expect(page.locator("#word-answer .empty")).to_contain_text("this word. Look up one word at a time.")


@pytest.mark.parametrize("address", ["mail", "ask"])
def test_the_keys_of_a_list_tell_a_screen_reader_the_prediction_with_the_subject(stage, open_page, address):
    """The keys move the focus to the subject, and of what is beside it nothing was said."""
    play(stage, 60)
    page = open_page(f"{stage.server.url}{address}")
    mail = page.locator(".mail:visible").nth(1)
    mail.wait_for()
    page.locator(".mail:visible .subject").first.focus()
    page.keyboard.press("j")
    expect(mail.locator(".subject")).to_be_focused()
    label = mail.locator(".label").inner_text()
    expect(mail.locator(".subject")).to_have_accessible_description(re.compile(f"^{label}"))
