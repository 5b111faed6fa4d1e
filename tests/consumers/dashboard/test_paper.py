"""Pages on paper, where nothing can be scrolled."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.page_mails import play


@pytest.mark.parametrize("name", ["quality", "sources", "operations"])
def test_wide_tables_stay_within_their_cards_on_paper(stage, open_page, name):
    play(stage, 40)
    stage.beat()
    page = open_page(f"{stage.server.url}{name}", viewport={"width": 794, "height": 1123})  # A4
    tables = page.locator(f"#{name} .scroll:visible")
    expect(tables.locator("td").first).to_be_visible()
    page.emulate_media(media="print")
    assert set(tables.evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")) == {0}


def test_what_can_only_be_clicked_is_not_printed(stage, open_page):
    page = open_page(stage.server.url)
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="How good is the filter now?")).to_be_visible()
    expect(page.locator("nav")).to_be_hidden()
    expect(page.locator("#theme")).to_be_hidden()


def test_the_dark_theme_of_the_system_is_not_printed(stage, open_page):
    page = open_page(stage.server.url, color_scheme="dark")
    ink = "getComputedStyle(document.body).color"
    dark = page.evaluate(ink)
    page.emulate_media(media="print")
    assert page.evaluate(ink) != dark
