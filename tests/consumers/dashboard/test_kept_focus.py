"""Parts that are drawn again while somebody uses them: they keep the focus, and the text that somebody has selected."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser import wait_until
from tests.support.page_mails import play

SELECT = "node => getSelection().selectAllChildren(node)"
SELECTED = "() => getSelection().toString()"


def test_the_command_that_starts_the_audit_stays_selected(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}ask")
    page.locator("#ask-mails .mail").first.wait_for()
    page.locator("#ask-audit code").evaluate(SELECT)
    stage.mail("new", "one more")
    stage.reconcile()
    wait_until(page, "import('/static/store.js').then(({ store }) => store.view.mails === 21)")
    assert page.evaluate(SELECTED) == "STREAM_NB_MONITOR_AUDIT_PER_HOUR=5 stream-nb monitor"


def test_the_address_of_a_sender_stays_selected(stage, open_page):
    for number in range(8):
        stage.mail(f"m{number}", "the weekly letter", sender="Letter <letter@example.org>")
        stage.label(f"m{number}", "spam" if number % 2 else "ham", "anna" if number % 2 else "ben")
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    address = page.locator("#sender-table tbody th bdi")
    address.evaluate(SELECT)
    stage.mail("new", "one more")
    stage.reconcile()
    wait_until(page, "import('/static/store.js').then(({ store }) => store.view.mails === 9)")
    assert page.evaluate(SELECTED) == "letter@example.org"


@pytest.mark.parametrize("address", ["", "quality"])
def test_the_window_that_was_chosen_keeps_the_focus(stage, open_page, address):
    play(stage, 20)
    page = open_page(f"{stage.server.url}{address}")
    window = page.locator("section:not([hidden]) .windows").get_by_role("button", name="last 100", exact=True)
    window.focus()
    page.keyboard.press("Enter")
    expect(window).to_have_attribute("aria-pressed", "true")
    expect(window).to_be_focused()


def test_the_label_buttons_of_an_explained_mail_keep_the_focus_when_the_label_is_learned(stage, open_page):
    play(stage, 60)
    stage.mail("doubtful", "could be both", "winner money offer minutes lunch project")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator("#mails .subject", has_text="could be both").click()
    page.locator("#why-sum").wait_for()
    spam = page.locator("#why-body").get_by_role("button", name="This mail is spam")
    spam.focus()
    page.keyboard.press("Enter")
    learned = page.locator("#why-body").get_by_text("Learned as spam")
    stage.settle_until(lambda: learned.count() > 0)
    expect(spam).to_be_focused()


def test_new_mails_that_were_asked_for_with_a_key_have_the_focus(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}mail")
    page.locator("#mails .mail").first.wait_for()
    stage.mail("new", "one more")
    stage.reconcile()
    page.get_by_role("button", name="1 new: show them").press("Enter")
    expect(page.get_by_role("button", name="one more")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("#mails .subject").nth(1)).to_be_focused()


def test_more_mails_that_were_asked_for_with_a_key_have_the_focus(stage, open_page):
    for number in range(41):
        stage.mail(f"m{number}", f"mail {number}")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    wait_until(page, "import('/static/store.js').then(({ store }) => store.mails.size === 41)")
    page.get_by_role("button", name="Newest").click()  # lists those that came after the others, too
    page.get_by_role("button", name="Show more").press("Enter")
    subjects = page.locator("#mails .subject")  # on a slow machine several mails count as arrived when they were scored
    expect(subjects.nth(40)).to_be_focused()
    page.keyboard.press("k")
    expect(subjects.nth(39)).to_be_focused()


def test_more_features_that_were_asked_for_with_a_key_have_the_focus(stage, open_page):
    for number, label in enumerate(("spam", "ham")):
        stage.features(f"f{number}", {f"n{i:02}": float(i + number) for i in range(30)})
        stage.label(f"f{number}", label)
    stage.reconcile()
    page = open_page(f"{stage.server.url}features")
    more = page.get_by_role("button", name="Show more")
    more.click()
    expect(more).to_be_focused()
    more.press("Enter")
    expect(page.get_by_role("region", name="Classes of n24")).to_be_focused()


def test_the_next_mails_to_label_have_the_focus_and_after_the_last_one_the_line_that_says_so(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}ask")
    more = page.get_by_role("button", name="Ask for the next ones")
    more.press("Enter")
    expect(page.locator("#ask-mails .subject").first).to_be_focused()
    for number in range(20):
        stage.label(f"m{number}", "ham")
    stage.reconcile()
    more.press("Enter")
    expect(page.get_by_text("No mail is waiting for a label.")).to_be_focused()


def test_a_policy_that_was_discarded_applied_or_undone_with_a_key_leaves_the_focus_on_its_field(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}quality")
    share = page.get_by_label("Or lose at most")
    for name in ("Discard", "Apply to new mail"):
        share.fill("5")
        page.get_by_role("button", name=name).press("Enter")
        expect(page.locator("#policy-proposal")).to_be_hidden()
        expect(share).to_be_focused()
    page.get_by_role("button", name="Undo this change").press("Enter")
    expect(page.locator("#toast")).to_have_text("The change is undone for new mail.")
    expect(share).to_be_focused()


def test_a_label_by_somebody_else_leaves_the_focus_on_the_button_that_had_it(stage, open_page):
    for name in ("spam", "ham", "work"):
        stage.mail(name, f"about {name}")
        stage.label(name, name, "tester")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    row = page.locator("#mails .mail", has_text="about work")
    row.get_by_role("button", name="Withdraw your label").focus()
    stage.label("work", "ham", "ben")
    stage.reconcile()
    row.get_by_text("✓ ham by ben, learned").wait_for()
    expect(row.get_by_role("button", name="This mail has no label")).to_be_focused()


def test_a_new_class_does_not_move_the_focus_to_the_button_of_another_class(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}mail")
    row = page.locator("#mails .mail", has=page.locator('.label:text-is("spam")')).first
    row.get_by_role("button", name="This mail is ham").focus()
    stage.mail("new", "one more")
    stage.label("new", "work")
    stage.reconcile()
    expect(row.get_by_role("button", name="Another class")).to_be_focused()
