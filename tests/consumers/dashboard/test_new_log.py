"""A page that stays open while the log is replaced by a new one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec
from playwright.sync_api import expect

from consumers.dashboard import view_cache
from consumers.dashboard.view_cache import ViewCache
from consumers.errors import Restart
from consumers.log.memory import MemoryLog, Topics
from consumers.monitor.figures.joiner import ScoredMail
from consumers.monitor.service import Monitor
from consumers.monitor.topic import mail_records
from consumers.records.schemas import TOPICS
from consumers.worker.worker import Worker
from tests.support.monitor_stream import BEGIN, prediction
from tests.support.page_mails import play
from tests.support.page_stage import Stage


def begin_again(stage: Stage) -> None:
    """Replace the log, and start everything again."""
    stage.close()
    stage.topics = Topics(stage.clock)
    stage.log = stage.open_log()
    stage.log.create_topics(TOPICS, 2)
    stage.worker = Worker(stage.open_log(), stage.settings, "worker-0", stage.clock)
    stage.monitor = Monitor(stage.open_log(), stage.settings, clock=stage.clock, wall_clock=stage.clock)
    stage.restart_server()


def test_another_mail_at_the_place_of_an_explained_one_is_explained_instead(stage, open_page):
    """Otherwise its label would be that of the mail whose subject is shown."""
    for number in range(4):
        stage.mail(f"m{number}", f"mail {number}")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator("#mails .subject").first.click()
    explained = page.locator(".why-subject")
    expect(explained).to_contain_text("mail")
    begin_again(stage)
    for number in range(8):
        stage.mail(f"other{number}", f"letter {number}")
    stage.reconcile()
    expect(explained).to_contain_text("letter")
    page.complaints.clear()  # the lost connection is reported there


def test_nothing_of_a_deleted_log_is_shown_with_the_new_one(stage, open_page):
    play(stage, 60)
    page = open_page(stage.server.url)
    expect(page.locator("#tiles")).to_contain_text("60 mails")
    begin_again(stage)
    expect(page.locator(".status")).not_to_have_attribute("data-kind", "lost")
    stage.mail("new", "the only mail")
    stage.reconcile()
    expect(page.locator("#tiles")).to_contain_text("1 mail, 0 labelled")
    page.get_by_role("link", name="Mail", exact=True).click()
    expect(page.locator(".mail .subject")).to_have_text(["the only mail"])
    page.complaints.clear()  # the lost connection is reported there


def test_a_list_that_waits_for_its_reader_does_not_keep_the_mails_of_a_deleted_log(stage, open_page):
    """Otherwise they would stay above the new log's mails, with buttons that can label nothing."""
    play(stage, 60)
    page = open_page(f"{stage.server.url}mail")
    expect(page.locator("#mails li")).to_have_count(40)
    page.locator("#mails .subject").first.click()
    begin_again(stage)
    for number in range(3):
        stage.mail(f"other{number}", f"letter {number}")
    stage.reconcile()
    expect(page.locator("#mails .subject")).to_have_text(["letter 2", "letter 1", "letter 0"])
    expect(page.locator("#why-body")).to_have_text("This mail is no longer remembered.")
    page.complaints.clear()  # the lost connection is reported there


def test_a_server_that_starts_again_on_the_same_log_leaves_the_list_as_it_is(stage, open_page, monkeypatch):
    """Even while it still reads the log, and does not have the mails in the list."""

    def late(*arguments) -> None:
        time.sleep(3.0)
        view_cache.follow(*arguments)

    monkeypatch.setattr("consumers.dashboard.app.follow", late)
    play(stage, 60)
    page = open_page(f"{stage.server.url}mail")
    expect(page.locator("#mails li")).to_have_count(40)
    before = page.locator("#mails .subject").all_inner_texts()
    stage.restart_server()
    stage.mail("new", "one more")
    stage.reconcile()
    expect(page.locator("#new-mails")).to_have_text("1 new: show them")
    assert page.locator("#mails .subject").all_inner_texts() == before
    page.complaints.clear()  # the lost connection is reported there


def test_operations_shows_no_figures_of_a_deleted_log(stage, open_page):
    play(stage, 20)
    page = open_page(f"{stage.server.url}operations")
    expect(page.locator("#model")).to_be_visible()
    begin_again(stage)
    expect(page.locator("#missing")).to_contain_text("There is no mail to show yet")
    expect(page.locator("#model")).to_be_hidden()
    page.complaints.clear()  # the lost connection is reported there


class Ending(MemoryLog):
    """A log with these mails on the monitor's topic, which calls `end` when they have been read."""

    def __init__(self, mails: range, end: Callable[[], None]) -> None:
        super().__init__(Topics())
        self.create_topics(TOPICS, 1)
        self.append(
            mail_records([ScoredMail(prediction(number, 1.0, BEGIN), 0.0) for number in mails], {0: mails.stop})
        )
        self.end = end

    def read(self, *args, **options):
        found = super().read(*args, **options)
        if not found:
            self.end()
        return found


def test_a_server_that_goes_on_forgets_the_mails_of_a_topic_that_was_created_anew(monkeypatch):
    """Kafka then reports that the topic ends before the offset to be read."""

    def shrank() -> None:
        raise Restart("monitor[0] ends at 0")

    monkeypatch.setattr(view_cache, "AGAIN_S", 0.0)
    cache, stop = ViewCache(), threading.Event()
    before = cache.start_id
    logs = iter([Ending(range(5), shrank), Ending(range(1), stop.set)])
    view_cache.follow(cache, lambda: next(logs), stop)
    start_id, version, changes = cache.changes(1)
    assert start_id != before, "so that open pages forget them, too"
    assert [mail["id"] for mail in msgspec.json.decode(changes)["mails"]] == ["m0"]
    assert (version, cache.changes(0)[2]) == (3, changes)
