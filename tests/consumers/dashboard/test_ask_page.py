"""The page "Ask me these": the listed mails, labels given by key, and what they taught."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support import plain_http
from tests.support.page_mails import play

BOTH = "winner money offer minutes lunch project"


def ask_page(stage, open_page):
    play(stage, 80)
    stage.mail("doubtful", "could be both", BOTH)
    stage.mail("odd", "</script><img src=x onerror=alert(1)>", "entirely new words")
    stage.reconcile()
    page = open_page(f"{stage.server.url}ask")
    page.locator("#ask-mails .mail").first.wait_for()
    return page


def test_the_least_certain_mails_come_first_with_the_reason(stage, open_page):
    page = ask_page(stage, open_page)
    subjects = page.locator("#ask-mails .subject").all_inner_texts()
    assert {"could be both", "</script><img src=x onerror=alert(1)>"} <= set(subjects)
    answer = plain_http.get(f"{stage.server.url}api/ask").json()
    assert subjects == [mail["row"]["subject"] for mail in answer["mails"]]
    values = [mail["uncertainty"] for mail in answer["mails"]]
    assert values == sorted(values, reverse=True) and len(set(values)) > 2
    odd = page.locator("#ask-mails .mail", has_text="onerror")
    expect(odd).to_contain_text("% new words")
    expect(page.locator("#ask-gain")).to_contain_text("corrected the filter")
    expect(page.locator("#ask-audit")).to_contain_text("STREAM_NB_MONITOR_AUDIT_PER_HOUR=5 stream-nb monitor")


def test_the_reason_is_one_line(stage, open_page):
    page = ask_page(stage, open_page)
    reason = page.locator("#ask-mails .mail", has_text="could be both").locator(".text > .meta")
    expect(reason).to_contain_text("ahead of")
    sender = page.locator("#ask-mails .mail", has_text="could be both").locator("bdi > .meta")
    assert reason.bounding_box()["height"] < 1.5 * sender.bounding_box()["height"]


def test_keys_give_labels_and_a_labelled_mail_leaves_the_list(stage, open_page):
    page = ask_page(stage, open_page)
    learned = stage.worker.replica.model.labels_learned
    page.locator("#ask-mails .subject").first.focus()
    page.keyboard.press("j")
    first = page.locator("#ask-mails .mail.selected")
    subject = first.locator(".subject").inner_text()
    page.keyboard.press("s")
    first.get_by_text("spam: sending…").wait_for()
    stage.settle_until(lambda: stage.worker.replica.model.labels_learned == learned + 1)
    first.get_by_text("✓ spam by tester, learned").wait_for()
    page.get_by_role("button", name="Ask for the next ones").click()
    expect(page.locator("#ask-mails .subject", has_text=subject)).to_have_count(0)
    page.keyboard.press("j")
    page.locator("#ask-mails .subject").first.focus()
    page.keyboard.press("j")
    page.keyboard.press("w")
    page.wait_for_selector("#why-sum")
    assert "/mail?" in page.url


def test_a_mail_opened_from_the_list_is_explained_even_if_it_had_the_focus_before(stage, open_page):
    page = ask_page(stage, open_page)
    page.get_by_role("link", name="Mail", exact=True).click()
    page.locator("#mails .subject", has_text="could be both").focus()
    page.get_by_role("link", name="Ask me").click()
    page.locator("#ask-mails .subject", has_text="could be both").click()
    expect(page.locator(".why-subject")).to_have_text("could be both", timeout=20_000)


def test_a_mail_without_a_predicted_class_has_a_button_for_the_class_of_the_current_model(stage, open_page):
    stage.mail("early", "scored before the first label", "minutes")
    stage.reconcile()
    for number, (label, word) in enumerate((("spam", "pills"), ("work", "minutes"), ("family", "dinner"))):
        stage.mail(f"m{number}", label, word)
        stage.label(f"m{number}", label)
    stage.reconcile()
    page = open_page(f"{stage.server.url}ask")
    [asked] = plain_http.get(f"{stage.server.url}api/ask").json()["mails"]
    early = page.locator("#ask-mails .mail", has_text="scored before")
    expect(early).to_contain_text(f"now {asked['label']}, ")
    early.get_by_role("button", name=f"This mail is {asked['label']}").click()
    expect(early.get_by_text(f"{asked['label']}: sending…")).to_be_visible()


def test_an_empty_list_is_explained(stage, open_page):
    stage.reconcile()
    page = open_page(f"{stage.server.url}ask")
    expect(page.locator("#no-ask")).to_have_text("No mail is waiting for a label.")
    expect(page.get_by_role("button", name="Ask for the next ones")).to_be_hidden()


def test_the_key_of_a_class_is_its_first_character_even_outside_the_bmp(stage, open_page):
    stage.mail("glad", "a class that begins with two units of UTF-16", "words")
    stage.label("glad", "\U0001f642 glad")
    stage.reconcile()
    page = open_page(f"{stage.server.url}ask")
    expect(page.locator("#ask-keys")).to_contain_text("\U0001f642 \U0001f642 glad")
