"""The two number fields of the policy on the page of quality."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from consumers.model.policy_editor import PolicyEditor
from consumers.records.policy import PolicyValues
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


def test_a_very_small_share_is_shown_and_kept_when_the_other_field_is_changed(stage, open_page):
    """It used to be shown as 0, and the next change of the other field proposed that 0."""
    play(stage, 30)
    share = 1.23456e-8
    with stage.open_log() as log:
        PolicyEditor(log, stage.settings.learner).change(PolicyValues(lose_at_most=share), "people")
    page = open_page(f"{stage.server.url}quality")
    lose = page.locator("#policy-lose")
    expect(lose).to_be_enabled()
    assert float(lose.input_value()) == pytest.approx(100 * share, rel=1e-3)
    with page.expect_request("**/api/policy/preview*") as asked:
        page.locator("#policy-unsure").fill("1")
    assert float(parse_qs(urlsplit(asked.value.url).query)["lose_at_most"][0]) == share
