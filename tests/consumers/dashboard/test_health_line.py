"""The line in the page's header says by itself when what is shown is not the present, and why."""

from __future__ import annotations

import time
from math import inf

import pytest
from playwright.sync_api import expect

from consumers.dashboard import app
from consumers.monitor.heartbeat import Heartbeat
from consumers.monitor.topic import HEARTBEAT, view_record

WAIT_MS = 60_000


HOUR_S = 3_600.0


def beat(stage, ago: float = -HOUR_S, silent: float = -HOUR_S, **waiting: int) -> None:
    """A heartbeat written `ago` seconds ago, with a worker `silent` for so long (inf: there never was one).

    Below 0 is to come: however slow the machine, it is not old before the test is over.
    """
    now = time.time()
    counts = {"mails_waiting": 0, "labels_waiting": 0, "unread": 0, **waiting}
    idle_at = 0.0 if waiting else now - ago
    record = Heartbeat(timestamp=now - ago, worker_at=max(0.0, now - silent), idle_at=idle_at, **counts)
    stage.log.append([view_record(HEARTBEAT, record)])


def expect_line(page, kind: str, text: str) -> None:
    line = page.locator("#status")
    expect(line).to_have_text(text, timeout=WAIT_MS)
    expect(line).to_have_attribute("data-kind", kind)


def test_an_empty_log_has_no_mail_yet(stage, open_page):
    stage.reconcile()
    expect_line(open_page(stage.server.url), "live", "Live; no mail yet")


def test_without_a_monitor_the_page_names_the_command(stage, open_page):
    page = open_page(stage.server.url)
    expect_line(page, "late", "No monitor yet; start one: stream-nb monitor")
    stage.reconcile()
    expect_line(page, "live", "Live; no mail yet")


@pytest.mark.parametrize(
    ("beaten", "kind", "text"),
    [
        ({"mails_waiting": 80, "silent": 95}, "late", "80 mails waiting, worker silent for 2 min"),
        (
            {"mails_waiting": 1, "labels_waiting": 2_000, "silent": 7e3},
            "late",
            "1 mail and 2,000 labels waiting, worker silent for 2 h",
        ),
        ({"labels_waiting": 3, "silent": 95}, "late", "3 labels waiting, worker silent for 2 min"),
        ({"mails_waiting": 7, "silent": inf}, "late", "7 mails waiting, no worker yet; start one: stream-nb worker"),
        ({"mails_waiting": 80}, "live", "Live; 80 mails waiting"),
        ({"silent": 9_000}, "live", "Live; no mail yet"),
        ({"ago": 95}, "late", "Monitor silent for 2 min; the figures are that old"),
        ({"ago": 95, "mails_waiting": 80, "silent": 300}, "late", "Monitor silent for 2 min; the figures are that old"),
        (
            {"unread": 12_000, "mails_waiting": 80, "silent": 300},
            "late",
            "Monitor catching up, 12,000 records to read",
        ),
    ],
)
def test_the_line_tells_what_is_silent_and_what_waits(stage, open_page, beaten, kind, text):
    beat(stage)
    page = open_page(stage.server.url)
    expect_line(page, "live", "Live; no mail yet")
    beat(stage, **beaten)
    expect_line(page, kind, text)
    page.reload()
    expect_line(page, kind, text)


def test_a_worker_that_stops_is_told_by_the_stages_themselves(stage, open_page):
    stage.mail("m1", "before")
    stage.reconcile()
    page = open_page(stage.server.url)
    page.get_by_text("before").wait_for()
    for number in range(80):
        stage.mail(f"w{number}", "waits")
    stage.monitor.step(timeout_s=0.0)
    stage.monitor.publish(curves=False)
    expect_line(page, "live", "Live; 80 mails waiting")


def test_a_server_that_is_gone_is_told_and_comes_back(stage, open_page):
    stage.reconcile()
    page = open_page(stage.server.url)
    expect_line(page, "live", "Live; no mail yet")
    stage.close()
    expect_line(page, "lost", "The dashboard does not answer, trying again")
    stage.restart_server()
    stage.monitor.publish(curves=False)
    beat(stage)
    expect_line(page, "live", "Live; no mail yet")
    page.complaints.clear()  # the lost connection is reported there


def test_a_server_that_says_nothing_any_more_is_told(stage, open_page, monkeypatch):
    monkeypatch.setattr(app, "SERVER_TIME_S", 10_000.0)
    stage.reconcile()
    page = open_page(stage.server.url)
    expect_line(page, "live", "Live; no mail yet")
    page.evaluate("const now = Date.now; Date.now = () => now() + 22_000")
    expect_line(page, "lost", "The dashboard has been silent for 20 s")
    page.evaluate("const now = Date.now; Date.now = () => now() + 22_000")
    beat(stage)
    expect_line(page, "live", "Live; no mail yet")
