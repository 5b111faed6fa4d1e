"""A page that stays open while the log is replaced by a new one."""

from __future__ import annotations

from playwright.sync_api import expect

from consumers.log.memory import Topics
from consumers.monitor.service import Monitor
from consumers.records.schemas import TOPICS
from consumers.worker.worker import Worker
from tests.support.page_mails import play


def test_nothing_of_a_deleted_log_is_shown_with_the_new_one(stage, open_page):
    play(stage, 60)
    page = open_page(stage.server.url)
    expect(page.locator("#tiles")).to_contain_text("60 mails")
    stage.close()
    stage.topics = Topics(stage.clock)
    stage.log = stage.open_log()
    stage.log.create_topics(TOPICS, 2)
    stage.worker = Worker(stage.open_log(), stage.settings, "worker-0", stage.clock)
    stage.monitor = Monitor(stage.open_log(), stage.settings, clock=stage.clock, wall_clock=stage.clock)
    stage.restart_server()
    expect(page.locator(".status")).not_to_have_attribute("data-kind", "lost")
    stage.mail("new", "the only mail")
    stage.reconcile()
    expect(page.locator("#tiles")).to_contain_text("1 mail, 0 labelled")
    page.get_by_role("link", name="Mail", exact=True).click()
    expect(page.locator(".mail .subject")).to_have_text(["the only mail"])
    page.complaints.clear()  # the lost connection is reported there
