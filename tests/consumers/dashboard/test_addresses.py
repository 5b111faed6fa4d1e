"""Each page has an address: it can be bookmarked, and the back button and the keyboard work."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from consumers.dashboard.page import PAGES
from tests.support.page_mails import play


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_at_its_address_and_its_link_is_marked(stage, open_page, name):
    page = open_page(f"{stage.server.url}{name}")
    expect(page.locator("main > section:visible")).to_have_attribute("id", name)
    marked = page.locator('nav a[aria-current="page"]')
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("data-page", name)


def test_the_navigation_has_all_pages(stage, open_page):
    page = open_page(stage.server.url)
    links = page.locator("nav a").evaluate_all("links => links.map(link => link.dataset.page)")
    assert links == list(PAGES)
    expect(page.locator("main > section:visible")).to_have_attribute("id", PAGES[0])


def test_back_and_forward_go_through_the_pages(stage, open_page):
    page = open_page(stage.server.url)
    shown = page.locator("main > section:visible")
    page.get_by_role("link", name="Words").click()
    expect(shown).to_have_attribute("id", "words")
    page.get_by_role("link", name="Sources").click()
    expect(page).to_have_title("Sources · stream_nb")
    page.go_back()
    expect(shown).to_have_attribute("id", "words")
    page.go_forward()
    expect(shown).to_have_attribute("id", "sources")


def test_choices_on_a_page_are_in_its_address(stage, open_page):
    play(stage, 60)
    page = open_page(stage.server.url)
    page.get_by_role("button", name="since start").click()
    page.get_by_role("link", name="Quality").click()
    pressed = page.locator("#quality .windows [aria-pressed=true]")
    expect(pressed).to_have_text("since start")
    page.goto(f"{stage.server.url}mail?show=errors&q=spam")
    page.get_by_role("button", name="Errors").wait_for()
    expect(page.locator("#filters [aria-pressed=true]")).to_have_text("Errors")
    expect(page.locator("#search")).to_have_value("spam")
    subjects = page.locator(".mail .subject").all_inner_texts()
    assert all("spam" in subject for subject in subjects)
    page.locator("#label-filter").select_option("ham")
    page.reload()
    expect(page.locator("#label-filter")).to_have_value("ham")
    expect(page.locator("#search")).to_have_value("spam")


def test_a_mail_explained_by_its_key_is_in_the_address(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}mail")
    subjects, explained = page.locator("#mails .subject"), page.locator(".why-subject")
    subjects.nth(1).click()
    expect(explained).to_have_text(subjects.nth(1).inner_text())
    page.keyboard.press("j")
    page.keyboard.press("w")
    expect(explained).to_have_text(subjects.nth(2).inner_text())
    page.get_by_role("link", name="Words", exact=True).click()
    page.go_back()
    page.locator("#mails .mail.selected").filter(has_text=subjects.nth(2).inner_text()).wait_for()
    expect(explained).to_have_text(subjects.nth(2).inner_text())


def test_a_link_to_a_filter_and_the_back_button_change_the_list(stage, open_page):
    play(stage, 60)
    page = open_page(f"{stage.server.url}mail?show=unsure")
    mails, learned = page.locator(".mail"), page.locator(".mail .learned")
    expect(mails).not_to_have_count(0)
    expect(learned).to_have_count(0)
    unsure = mails.count()
    page.get_by_role("link", name="Mail", exact=True).click()
    expect(learned).not_to_have_count(0)
    page.get_by_role("link", name="Overview").click()
    page.locator("#coverage-note").get_by_role("link", name="audit").click()
    expect(mails).to_have_count(0)
    expect(page.locator("#no-mails")).to_contain_text("No mail has been drawn for the audit.")
    page.go_back()
    page.go_back()
    expect(learned).not_to_have_count(0)
    page.go_back()
    expect(learned).to_have_count(0)
    expect(mails).to_have_count(unsure)


def test_every_page_and_its_first_control_are_reached_by_keyboard_in_few_steps(stage, open_page):
    play(stage, 30)
    page = open_page(f"{stage.server.url}operations")
    page.locator("#model dd").first.wait_for()
    for name in PAGES:
        link = page.locator(f'nav a[data-page="{name}"]')
        link.focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#{name} h1")).to_be_focused()
        if name == "ask":
            page.locator("#ask-cards").wait_for()
        page.keyboard.press("Tab")
        inside = page.evaluate("name => document.getElementById(name).contains(document.activeElement)", name)
        assert inside or page.locator(f"#{name} :is(a, button, input, select, [tabindex='0'])").count() == 0
