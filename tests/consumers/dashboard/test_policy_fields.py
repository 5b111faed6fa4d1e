"""The two number fields of the policy on the page of quality."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.page_mails import play


def test_a_number_out_of_range_is_explained_in_the_words_of_its_field_and_cannot_be_applied(stage, open_page):
    """The server would refuse it in the words of its own interface, which counts shares from 0 to 1."""
    play(stage, 30)
    page = open_page(f"{stage.server.url}quality")
    lose, preview, apply = page.locator("#policy-lose"), page.locator("#policy-preview"), page.locator("#policy-apply")
    lose.fill("150")
    expect(preview).to_have_text("150 is not in the range of “Or lose at most, in %”: 0 to 100.")
    expect(apply).to_be_disabled()
    page.locator("#policy-unsure").fill("1")
    expect(preview).to_have_text("150 is not in the range of “Or lose at most, in %”: 0 to 100.")
    lose.fill("0.25")
    expect(preview).to_contain_text("would have been predicted differently")
    expect(apply).to_be_enabled()
