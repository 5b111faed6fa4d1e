"""The menu "Predicted" of the mail list, and mails that were predicted to be of no class."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.page_mails import play


def make_unsure(page) -> None:
    """Apply a policy with which every new mail is unsure."""
    page.fill("#policy-unsure", "100")
    page.get_by_role("button", name="Apply to new mail").click()
    page.get_by_text("Applied to new mail").wait_for()


def test_unsure_mails_can_be_listed_and_do_not_look_like_those_of_a_class(stage, open_page):
    for label in ("spam", "ham"):
        stage.mail(label, label)
    for label in ("spam", "ham"):
        stage.label(label, label)
    stage.reconcile()
    page = open_page(f"{stage.server.url}quality")
    make_unsure(page)
    page.goto(f"{stage.server.url}mail")
    menu = page.get_by_label("Predicted")
    expect(menu.locator("option")).to_have_text(["anything", "spam", "ham"])
    stage.mail("m", "cheap lunch offer", "cheap lunch offer")
    stage.reconcile()
    expect(menu.locator("option")).to_have_text(["anything", "spam", "ham", "unsure"])
    menu.select_option("unsure")
    expect(page.locator("#found")).to_contain_text("Found 1 of 3 mails")
    expect(page.locator(".mail .subject")).to_have_text(["cheap lunch offer"])
    label = page.locator(".mail .said .label")
    expect(label).to_have_text("unsure")
    assert "negative" not in label.get_attribute("class").split()
    page.reload()
    expect(menu).to_have_value("unsure")


def test_the_menu_names_what_the_address_asks_for(stage, open_page):
    play(stage, 30)
    page = open_page(f"{stage.server.url}mail?label=gone")
    expect(page.locator("#no-mails")).to_have_text("No mail found.")
    expect(page.get_by_label("Predicted")).to_have_value("gone")


def test_predictions_that_are_not_classes_do_not_look_like_classes(stage, open_page):
    stage.mail("first", "scored before any label")
    stage.label("first", "spam")
    stage.reconcile()
    stage.mail("second", "scored while there was one class")
    stage.label("second", "unknown")
    stage.reconcile()
    stage.mail("third", "scored with two classes", "hello")
    stage.label("third", "zebra")
    stage.reconcile()
    page = open_page(stage.server.url)
    columns = page.locator("#confusion thead tr").nth(1).locator("th")
    expect(columns).to_have_text(["spam", "unknown", "zebra", "(none)", "unsure"])
    expect(columns.nth(3)).to_have_attribute("title", "(none): scored before the first label")
    page.get_by_role("link", name="Mail", exact=True).click()
    expect(page.locator(".mail .said .label").last).to_have_text("(none)")


def test_an_unsure_mail_has_a_button_for_the_likeliest_of_many_classes(stage, open_page):
    """Otherwise the menu, with all classes, would be the only way to label it."""
    for label in ("spam", "ham", "work"):
        stage.mail(label, label)
        stage.label(label, label)
    stage.reconcile()
    page = open_page(f"{stage.server.url}quality")
    make_unsure(page)
    stage.mail("m", "work work", "work ham")
    stage.reconcile()
    page.goto(f"{stage.server.url}mail")
    mail = page.locator(".mail", has_text="work work")
    expect(mail.locator(".said")).to_have_text("unsurework?")
    expect(mail.locator(".buttons .class")).to_have_text(["work"])
