"""What a screen reader says of the line on top of every page: each new state once, and no ages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.usefixtures("quick_looks")


def test_a_new_state_is_announced_and_a_new_age_is_not(stage, open_page):
    stage.mail("m", "hello")
    stage.reconcile()
    stage.beat()
    page = open_page(stage.server.url)
    line = page.get_by_role("status").first
    expect(line).to_have_text("Live")
    expect(line).to_have_attribute("aria-live", "polite")
    for age in (20, 30):
        page.evaluate("import('/static/store.js').then(({ store }) => { store.view.timestamp -= 10; })")
        expect(line).to_contain_text(f"Live; last mail or label {age - 10}")
        expect(line).to_have_attribute("aria-live", "off")
    stage.close()
    expect(line).to_have_text("The dashboard does not answer, trying again")
    expect(line).to_have_attribute("aria-live", "polite")
    page.complaints.clear()  # the browser reports the lost connection
