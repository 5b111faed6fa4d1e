"""Labels given in quick succession: the last click counts, and no label is given by accident."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from consumers.log.base import TopicPartition
from consumers.records.replay import final_labels
from consumers.records.schemas import LABELS, decode_label
from tests.support.waiting import until
from tests.support.worker_run import label


def said(stage, message_id: str) -> list[tuple[str | None, bool]]:
    """The labels that the tester gave a mail, oldest first, each with whether it withdraws."""
    records = [record for p in range(2) for record in stage.log.read({TopicPartition(LABELS, p): 0})]
    labels = [decode_label(record.value) for record in records if record.key == message_id.encode()]
    return [(label.label, label.forget) for label in labels if label.source == "tester"]


def labelled_by_others(stage, open_page):
    """A page with one mail that people labelled ham, and its row."""
    stage.mail("m", "hello")
    stage.label("m", "ham")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": 1280, "height": 900})
    row = page.locator(".mail")
    row.get_by_text("✓ ham by people, learned").wait_for()
    return page, row


def test_withdrawing_before_the_monitor_has_read_the_label_restores_those_of_others(stage, open_page):
    _, row = labelled_by_others(stage, open_page)
    row.get_by_role("button", name="This mail is spam").click()
    row.get_by_text("spam: sending…").wait_for()
    row.get_by_role("button", name="Withdraw your label").click()
    stage.settle_until(lambda: len(said(stage, "m")) == 2)
    assert said(stage, "m") == [("spam", False), (None, True)]
    row.get_by_text("✓ ham by people, learned").wait_for()


def test_withdrawing_the_only_label_before_the_monitor_has_read_it_ends(stage, open_page):
    stage.mail("m", "hello")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": 1280, "height": 900})
    row = page.locator(".mail")
    row.get_by_role("button", name="This mail is spam").click()
    row.get_by_text("spam: sending…").wait_for()
    row.get_by_role("button", name="Withdraw your label").click()
    row.get_by_text("withdrawing…").wait_for()
    stage.settle_until(lambda: len(said(stage, "m")) == 2)
    expect(row.locator(".state")).to_have_text("")
    expect(row.get_by_role("button", name="This mail is spam")).to_have_attribute("aria-pressed", "false")


def test_a_label_of_a_page_whose_source_has_a_long_name_can_be_withdrawn(make_stage, open_page):
    """Its mails show only the beginning of the name."""
    name = "anna of the department of names " * 4
    stage = make_stage(source=name)
    _, row = labelled_by_others(stage, open_page)
    stage.label("m", "spam", source=name)
    stage.reconcile()
    row.get_by_text("✓ spam by anna of").wait_for()
    expect(row.get_by_role("button", name="Withdraw your label")).to_be_visible()


def test_withdrawing_what_another_browser_has_withdrawn_keeps_the_labels_of_others(stage, open_page):
    _, row = labelled_by_others(stage, open_page)
    row.get_by_role("button", name="This mail is spam").click()
    stage.settle_until(lambda: len(said(stage, "m")) == 1)
    row.get_by_text("✓ spam by tester, learned").wait_for()
    stage.log.append([label("m", None, "tester", forget=True)])  # this page has not been told yet
    row.get_by_role("button", name="Withdraw your label").click()
    stage.settle_until(lambda: len(said(stage, "m")) == 3)
    row.get_by_text("✓ ham by people, learned").wait_for()
    assert final_labels(stage.log)["m"] == "ham"


def test_a_double_click_labels_once_and_its_progress_is_announced(stage, open_page):
    stage.mail("m", "hello")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": 1280, "height": 900})
    row = page.locator(".mail")
    expect(row.locator(".state")).not_to_have_attribute("aria-live", "polite")
    row.get_by_role("button", name="This mail is ham").dblclick()
    stage.settle_until(lambda: "m" in final_labels(stage.log))
    row.get_by_text("✓ ham by tester, learned").wait_for()
    expect(row.locator(".state")).to_have_attribute("aria-live", "polite")
    assert said(stage, "m") == [("ham", False)]


def test_a_held_key_labels_once(stage, open_page):
    page, row = labelled_by_others(stage, open_page)
    row.locator(".subject").focus()
    page.keyboard.press("j")
    for _ in range(5):
        page.keyboard.down("s")
        stage.reconcile()
        page.wait_for_timeout(100)
    stage.settle_until(lambda: said(stage, "m"))
    row.get_by_text("✓ spam by tester, learned").wait_for()
    assert said(stage, "m") == [("spam", False)]


def test_keys_act_on_the_mail_that_has_the_focus(stage, open_page):
    """It was reached with the tab key, or one of its buttons was clicked, after another mail had been chosen."""
    for name in ("m", "n"):
        stage.mail(name, f"subject {name}")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": 1280, "height": 900})
    chosen, other = (page.locator(".mail", has_text=f"subject {name}") for name in ("n", "m"))
    chosen.locator(".subject").click()
    other.get_by_role("button", name="This mail is ham").click()
    page.keyboard.press("s")
    other.get_by_text("spam: sending…").wait_for()
    stage.settle_until(lambda: len(said(stage, "m")) == 2)
    assert said(stage, "n") == []


def test_a_key_labels_a_listed_mail_that_newer_ones_have_pushed_out_of_the_latest(stage, open_page):
    stage.mail("m", "agenda")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail .subject").focus()
    page.evaluate("import('./static/store.js').then(({ store }) => store.mails.clear())")
    page.keyboard.press("h")
    page.get_by_text("ham: sending…").wait_for()


def test_the_focus_ring_of_a_mail_is_not_cut_off(stage, open_page):
    stage.mail("m", "hello")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": 1280, "height": 900})
    page.locator(".mail .subject").focus()
    around = "subject => [subject.parentElement, subject.closest('.text')].map(box => getComputedStyle(box).overflow)"
    assert page.locator(".mail .subject").evaluate(around) == ["visible", "visible"]


def test_the_last_of_two_clicks_counts_even_if_the_first_request_is_slow(stage, open_page):
    page, row = labelled_by_others(stage, open_page)
    held = []
    page.route("**/api/label", lambda route: route.continue_() if held else held.append(route))
    row.get_by_role("button", name="This mail is ham").click()
    row.get_by_role("button", name="This mail is spam").click()
    row.get_by_text("spam: sending…").wait_for()
    page.wait_for_timeout(300)
    held[0].continue_()
    # requests proceed only while the test waits for the page
    until(lambda: page.wait_for_timeout(50) or len(said(stage, "m")) == 2)
    stage.reconcile()
    assert said(stage, "m") == [("ham", False), ("spam", False)]
    row.get_by_text("✓ spam by tester, learned").wait_for()


def test_ages_advance_and_follow_the_server_clock(stage, open_page):
    page, row = labelled_by_others(stage, open_page)
    age = row.locator(".age")
    young = age.inner_text()
    expect(age).not_to_have_text(young)
    for hours in (-5, 5):
        page.add_init_script(f"const real = Date.now; Date.now = () => real() + {hours} * 3_600_000;")
        page.reload()
        expect(age).to_have_text(re.compile(r"^[\d.]+\ss\sago$"))


def test_each_class_has_a_key_of_its_own(stage, open_page):
    for number, name in enumerate(("spam", "4a", "sale", "small", "stuff", "İş", "ips", "\U0001d49c", " stuff")):
        stage.mail(f"m{number}", name, name)
        stage.label(f"m{number}", name)
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail").first.wait_for()
    keys = page.evaluate("import('/static/mail/labels.js').then(({ labelKeys }) => labelKeys().map(({ key }) => key))")
    assert len(keys) == len(set(keys)) == 9
    assert all(len(key) == 1 for key in keys), keys
    assert " " not in keys  # it presses the button that has the focus
