"""Tables that are refreshed while somebody reads them: they show the newest figures, and stay where they are."""

from __future__ import annotations

from playwright.sync_api import expect

from consumers.explain import explainer
from tests.support.page_mails import play, play_features


def test_the_figures_of_a_source_go_on_under_the_mouse_pointer(stage, open_page):
    for number, source in enumerate(["anna", "anna", "ben"]):
        stage.mail(f"m{number}", "hello")
        stage.label(f"m{number}", "ham", source)
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    undo = page.get_by_role("button", name="Undo ben")
    undo.hover()
    labels = page.locator('#source-table [data-source="ben"] td').first
    expect(labels).to_have_text("1")
    for number in range(3, 6):
        stage.mail(f"m{number}", "hello")
        stage.label(f"m{number}", "ham", "ben")
    stage.reconcile()
    expect(labels).to_have_text("4")
    assert undo.evaluate("button => button.matches(':hover')")  # although columns may have become wider
    undo.click()
    expect(page.locator("#undo-question")).to_contain_text(
        "all labels of “ben”? 4 of its labels count in the model now"
    )
    page.get_by_role("button", name="Keep").click()


def test_a_list_of_words_stays_scrolled_and_focused_when_it_is_refreshed(stage, open_page, monkeypatch):
    monkeypatch.setattr(explainer, "CACHE_S", 0.0)
    play(stage, 120)
    page = open_page(f"{stage.server.url}words")
    card = page.locator("#word-lists .card", has_text="Strongest for spam")
    learned = card.locator("tbody td").nth(1)
    learned.wait_for()
    page.evaluate("document.styleSheets[0].insertRule('#word-lists .scroll { max-height: 100px !important; }')")
    card.locator("tbody a").nth(2).focus()
    card.locator(".scroll").evaluate("node => { node.scrollTop = 40; }")
    old = card.inner_text()
    for number in range(20):
        stage.mail(f"new{number}", "cheap pills", "cheap pills winner money casino offer")
        stage.label(f"new{number}", "spam")
    stage.reconcile()
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 21_000; }")
    expect(card).not_to_have_text(old, use_inner_text=True)
    assert card.locator(".scroll").evaluate("node => node.scrollTop") == 40
    assert page.evaluate("document.activeElement.closest('#word-lists') !== null")


def test_a_table_of_a_feature_stays_scrolled_and_focused_when_it_is_refreshed(stage, open_page, monkeypatch):
    monkeypatch.setattr(explainer, "CACHE_S", 0.0)
    play_features(stage, 60)
    page = open_page(f"{stage.server.url}features?name=language")
    table = page.locator("#feature-cards .scroll").first
    table.wait_for()
    page.evaluate("document.styleSheets[0].insertRule('#feature-cards .scroll { max-height: 60px !important; }')")
    table.focus()
    table.evaluate("node => { node.scrollTop = 30; }")
    old = table.inner_text()
    play_features(stage, 90)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 21_000; }")
    expect(table).not_to_have_text(old, use_inner_text=True)
    assert table.evaluate("node => node.scrollTop") == 30
    expect(table).to_be_focused()


def test_a_word_that_is_looked_up_again_has_the_counts_of_now(stage, open_page):
    play(stage, 40)
    page = open_page(f"{stage.server.url}words?word=casino")
    count = page.locator("#word-answer tbody tr", has_text="spam").locator("td").first
    old = count.inner_text()
    stage.mail("new", "cheap pills", "casino")
    stage.label("new", "spam")
    stage.reconcile()
    page.get_by_role("button", name="Look up").click()
    expect(count).not_to_have_text(old)
