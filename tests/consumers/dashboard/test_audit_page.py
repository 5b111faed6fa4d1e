"""The mails drawn for the audit stay on the page, however many others arrive before somebody labels them."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest
from playwright.sync_api import expect

from consumers.dashboard import app
from consumers.dashboard.view_cache import ViewCache, decode_all
from consumers.log.base import Record
from consumers.monitor import topic
from consumers.monitor.figures.joiner import ScoredMail
from consumers.monitor.topic import mail_records
from consumers.records.messages import MailPlace
from consumers.records.skipped import SkippedRecords
from consumers.settings import MonitorSettings
from tests.support.browser import wait_until
from tests.support.monitor_stream import BEGIN, prediction
from tests.support.page_stage import Stage, settings_of


@pytest.fixture
def audited(monkeypatch):
    """A stage with an audit, which draws the first mail in any case, and a page that keeps three other mails."""
    monkeypatch.setattr(topic, "MAX_MAILS", 3)
    monkeypatch.setattr(app, "PageConstants", partial(app.PageConstants, max_mails=3))
    stage = Stage(msgspec.structs.replace(settings_of(), monitor=MonitorSettings(port=0, audit_per_hour=1)))
    yield stage
    stage.close()


def add_mails(stage: Stage, first: int, last: int) -> None:
    for number in range(first, last):
        stage.mail(f"m{number}", f"mail {number}")
        stage.reconcile()


def test_a_drawn_mail_stays_in_the_list_and_can_be_labelled(audited, open_page):
    add_mails(audited, 0, 9)
    page = open_page(f"{audited.server.url}mail?show=audit")
    drawn = page.locator(".mail", has_text="mail 0")
    sender = drawn.locator(".meta")
    expect(sender).to_have_text("a@example.org · audit")
    add_mails(audited, 9, 18)
    wait_until(page, "async () => (await import('./static/store.js')).store.view?.mails >= 18")
    for name in ("Newest", "Audit"):  # draws the list anew
        page.get_by_role("button", name=name).click()
    drawn.get_by_role("button", name="This mail is ham").click()
    drawn.get_by_text("ham by tester, not learned yet").wait_for()  # as the search found it: no monitor has read it yet
    expect(sender).to_have_text("a@example.org · audit")
    audited.settle_until(lambda: audited.monitor.view.audit.labelled)
    drawn.get_by_text("✓ ham by tester, learned").wait_for()


def test_an_audit_without_labels_has_no_accuracy_and_no_interval(audited, open_page):
    add_mails(audited, 0, 1)
    note = open_page(audited.server.url).locator("#coverage-note")
    expect(note).to_have_text("Random audit of 1 mail an hour: no drawn mail is labelled yet.")
    audited.label("m0", "ham")
    audited.reconcile()
    expect(note).to_contain_text("an hour: accuracy 0.00\N{NO-BREAK SPACE}% (0.00\N{NO-BREAK SPACE}% to 79.35")


def test_an_audit_that_is_on_is_not_called_off_where_a_search_finds_nothing(audited, open_page):
    add_mails(audited, 0, 2)
    page = open_page(f"{audited.server.url}mail?show=audit")
    page.locator(".mail", has_text="mail 0").wait_for()
    page.get_by_label("Search").fill("elsewhere")
    expect(page.locator("#no-mails")).to_be_visible()
    expect(page.locator("#no-mails")).to_have_text("No mail found.")


def test_a_mail_that_has_another_slot_since_a_restart_of_the_monitor_is_kept():
    """A restarted monitor numbers the slots of the audit from 0 on; later another mail takes the old slot."""
    cache, skipped, first = ViewCache(), SkippedRecords(), ScoredMail(prediction(0, 1.0, BEGIN), 1.0)
    for mail, slot in ((first, 5), (first, 0), (ScoredMail(prediction(1, 1.0, BEGIN), 1.0), 5)):
        mail.audit_slot = slot
        drafts = mail_records([mail], {0: 2})
        records = [Record(each.topic, 0, 0, each.key, each.value, BEGIN) for each in drafts]
        cache.update(decode_all(records, skipped))
    assert [cache.find_mail(MailPlace(0, offset)).id for offset in (0, 1)] == ["m0", "m1"]
