"""Silence on the page: a separate source, and part of no figure."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from consumers.records.schemas import SILENCE


def cells(row: Locator) -> list[str]:
    """The cells of a source's row, up to its flip rate."""
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in row.locator("td").all_inner_texts()[:6]]


def test_labels_of_silence_are_marked_and_listed_separately(stage, open_page):
    for number in range(12):
        stage.mail(f"m{number}", "win free money" if number % 2 else "lunch at noon")
        if number < 10:
            stage.label(f"m{number}", "spam" if number % 2 else "ham", "ann")
        stage.reconcile()
    stage.label("m10", "ham", SILENCE)
    stage.label("m11", "spam", SILENCE)
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    silent = page.locator("li, tr, article").filter(has_text="ham by silence").first
    expect(silent).to_be_visible()
    page.goto(f"{stage.server.url}sources")
    row = page.locator(f'[data-source="{SILENCE}"]')
    expect(row).to_be_visible()
    assert cells(row) == ["2", "0", "0 (0.0 %)", "2", "0.0", "0.8 %"]

    stage.label("m11", "ham", "ann")
    stage.reconcile()
    page.goto(f"{stage.server.url}sources")
    expect(row.locator("td").nth(2)).to_contain_text("1 (50.0")
    assert cells(row) == ["2", "0", "1 (50.0 %)", "2", "1.0", "9.2 %"]
    assert cells(page.locator('[data-source="ann"]'))[0] == "11"
