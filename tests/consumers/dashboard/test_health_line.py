"""The status line in the header reports, without a reload, when figures are not current, and why."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from consumers.dashboard import app, view_cache
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.monitor import health
from consumers.monitor.health import BEHIND_RECORDS
from consumers.records.heartbeat import FEED, MONITOR, WORKER, HeartbeatWriter
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, LabelRecord, encode

pytestmark = pytest.mark.usefixtures("quick_looks")

WAIT_MS = 60_000
HOUR_S = 3_600.0


def beat(stage, name: str, ago: float = -HOUR_S, stopped: bool = False, **unread: int) -> None:
    """Write a heartbeat of a stage, dated `ago` seconds ago, with the number of unread records of each topic.

    A negative `ago` is in the future, so that the heartbeat does not become old during the test.
    """
    inputs = (EMAILS, LABELS) if name == WORKER else (PREDICTIONS, LABELS)
    places = [TopicPartition(topic, 0) for topic in inputs]
    progress = {place: Progress(stage.log.end_offset(place), unread.get(place.topic, 0)) for place in places}
    HeartbeatWriter(stage.log, name, "host-0", lambda: progress, lambda: time.time() - ago).beat(stopped)


def put(stage, topic: str, records: int) -> None:
    stage.log.append([ProducerRecord(topic, b"k%d" % n, b"Subject: x\n\n", 0) for n in range(records)])


def expect_line(page, kind: str, text: str) -> None:
    line = page.locator("#status")
    expect(line).to_have_text(text, timeout=WAIT_MS)
    expect(line).to_have_attribute("data-kind", kind)


def test_an_empty_log_has_no_mail_yet(all_run, open_page):
    expect_line(open_page(all_run.server.url), "live", "Live; no mail yet")


def test_the_line_names_the_command_that_starts_a_missing_stage(stage, open_page):
    page = open_page(stage.server.url)
    expect_line(page, "late", "No monitor yet; start one: stream-nb monitor")
    beat(stage, MONITOR)
    expect_line(page, "late", "No worker yet; start one: stream-nb worker")
    put(stage, EMAILS, 7)
    expect_line(page, "late", "7 mails waiting, no worker yet; start one: stream-nb worker")
    beat(stage, WORKER)
    expect_line(page, "live", "Live; no mail yet")


CASES: dict[str, tuple[Callable[..., None], str, str]] = {
    "worker silent": (lambda s: beat(s, WORKER, ago=95), "late", "Worker silent for 2 min"),
    "worker stopped": (lambda s: beat(s, WORKER, ago=95, stopped=True), "late", "Worker stopped for 2 min"),
    "mails wait for a silent worker": (
        lambda s: (beat(s, WORKER, ago=95), put(s, EMAILS, 80)),
        "late",
        "80 mails waiting, worker silent for 2 min",
    ),
    "both wait": (
        lambda s: (beat(s, WORKER, ago=7e3), put(s, EMAILS, 1), put(s, LABELS, 2_000)),
        "late",
        "1 mail and 2,000 labels waiting, worker silent for 2 h",
    ),
    "a worker at work": (lambda s: beat(s, WORKER, emails=80), "live", "Live; 80 mails waiting"),
    "monitor silent": (
        lambda s: (beat(s, MONITOR, ago=95), beat(s, WORKER, ago=300)),
        "late",
        "Monitor silent for 2 min; the figures are that old",
    ),
    "monitor behind": (
        lambda s: beat(s, MONITOR, predictions=BEHIND_RECORDS + 1),
        "late",
        "Monitor catching up, 1,001 records to read",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_line_reports_silent_stages_and_backlogs(all_run, open_page, case):
    happen, kind, text = CASES[case]
    page = open_page(all_run.server.url)
    expect_line(page, "live", "Live; no mail yet")
    happen(all_run)
    expect_line(page, kind, text)
    page.reload()
    expect_line(page, kind, text)


def test_labels_on_another_partition_are_reported_with_the_remedy(all_run, open_page):
    all_run.mail("m", "hello")
    all_run.reconcile()
    page = open_page(all_run.server.url)
    expect(page.locator("#status")).to_contain_text("Live", timeout=WAIT_MS)
    partition = all_run.monitor.state.recent[0].prediction.partition
    value = encode(LabelRecord("m", "spam", "people", time.time()))
    all_run.log.append([ProducerRecord(LABELS, b"m", value, 1 - partition)])
    all_run.reconcile()
    told = (
        "1 label not learned: on another partition than the mail; "
        "set each producer's partitioner to murmur2, unless partitions were added"
    )
    expect_line(page, "late", told)
    all_run.label("m", "spam")
    all_run.reconcile()
    expect(page.locator("#status")).to_contain_text("Live", timeout=WAIT_MS)


@pytest.mark.parametrize("stage_name", [WORKER, MONITOR])
def test_a_stage_with_a_late_heartbeat_is_not_shown_as_live(all_run, open_page, monkeypatch, stage_name):
    monkeypatch.setattr(health, "SILENT_S", HOUR_S)
    page = open_page(all_run.server.url)
    expect_line(page, "live", "Live; no mail yet")
    beat(all_run, stage_name, ago=95)
    expect_line(page, "late", f"{stage_name.capitalize()} last seen 2 min ago")
    expect_part(page, stage_name, "late", "running, last seen 2 min ago")


def test_an_unreachable_log_is_reported_until_it_answers_again(all_run, open_page):
    page = open_page(all_run.server.url)
    expect_line(page, "live", "Live; no mail yet")
    kept = dict(all_run.topics.specs)
    all_run.topics.specs.clear()  # every request about a topic now fails
    expect_line(page, "lost", "The log does not answer, trying again")
    all_run.topics.specs.update(kept)
    expect_line(page, "live", "Live; no mail yet")


def test_an_unreachable_server_is_reported_until_it_answers_again(all_run, open_page):
    page = open_page(all_run.server.url)
    expect_line(page, "live", "Live; no mail yet")
    all_run.close()
    expect_line(page, "lost", "The dashboard does not answer, trying again")
    all_run.restart_server()
    expect_line(page, "live", "Live; no mail yet")
    page.complaints.clear()  # the browser reports the lost connection


def test_a_server_that_sends_nothing_is_reported(make_stage, open_page, monkeypatch):
    monkeypatch.setattr(app, "SERVER_TIME_S", 10_000.0)
    monkeypatch.setattr(view_cache, "LOOK_S", 10_000.0)
    stage = make_stage()
    page = open_page(stage.server.url)
    expect_line(page, "late", "No monitor yet; start one: stream-nb monitor")
    page.evaluate("const now = Date.now; Date.now = () => now() + 22_000")
    expect_line(page, "lost", "The dashboard has been silent for 20 s")
    stage.reconcile()
    expect_line(page, "late", "No monitor yet; start one: stream-nb monitor")


def expect_part(page, part: str, kind: str, text: str) -> None:
    chip = page.locator(f'#health [data-part="{part}"]')
    expect(chip).to_contain_text(text, timeout=WAIT_MS)
    expect(chip).to_have_attribute("data-kind", kind)


def test_the_strip_shows_the_state_and_backlog_of_each_part(all_run, open_page):
    page = open_page(f"{all_run.server.url}words")
    for part in ("worker", "monitor"):
        expect_part(page, part, "live", "running, seen now")
    expect_part(page, "log", "live", "answers")
    expect_part(page, "dashboard", "live", "answers, seen now")
    beat(all_run, WORKER, ago=95)
    put(all_run, EMAILS, 80)
    expect_part(page, "worker", "late", "silent for 2 min, 80 waiting")
    kept = dict(all_run.topics.specs)
    all_run.topics.specs.clear()
    expect_part(page, "log", "lost", "does not answer")
    expect_part(page, "worker", "", "unknown, last seen 2 min ago, 80 waiting")
    all_run.topics.specs.update(kept)
    expect_part(page, "log", "live", "answers")


def test_the_strip_reports_an_unreachable_dashboard_without_a_reload(all_run, open_page):
    page = open_page(all_run.server.url)
    expect_part(page, "worker", "live", "running")
    all_run.close()
    expect_part(page, "dashboard", "lost", "does not answer, last seen just now")
    expect_part(page, "worker", "", "unknown")
    page.evaluate("const now = Date.now; Date.now = () => now() + 3_000_000")
    expect_part(page, "dashboard", "lost", "last seen 50 min ago")
    all_run.restart_server()
    expect_part(page, "worker", "live", "running")
    page.complaints.clear()  # the browser reports the lost connection


CUT = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth).map(node => node.textContent)"


@pytest.mark.parametrize(
    ("width", "parts"), [(1280, "#status, #health a"), (768, "#status, #health a"), (390, "#status")]
)
def test_messages_about_missing_stages_are_not_truncated_at_any_width(stage, open_page, width, parts):
    put(stage, EMAILS, 600)
    put(stage, LABELS, 600)
    beat(stage, MONITOR)
    beat(stage, FEED, ago=95, stopped=True)
    page = open_page(stage.server.url, viewport={"width": width, "height": 900})
    expect_line(page, "late", "600 mails and 600 labels waiting, no worker yet; start one: stream-nb worker")
    expect_part(page, "worker", "late", "not running: stream-nb worker, 1,200 waiting")
    assert page.locator(parts).evaluate_all(CUT) == []


def test_a_feed_that_ended_is_not_shown_as_a_problem(stage, open_page):
    stage.reconcile()
    for each in (WORKER, MONITOR):
        beat(stage, each)
    beat(stage, FEED, ago=95, stopped=True)
    page = open_page(f"{stage.server.url}operations")
    feed = page.locator("#processes tr", has_text="Feed").locator(".status")
    expect(feed).to_have_text("stopped", timeout=WAIT_MS)
    expect(feed).to_have_attribute("data-kind", "")
    expect(page.locator('#health [data-part="feed"]')).to_have_attribute("data-kind", "")


@pytest.mark.parametrize("name", ["", "mail", "quality", "sources"])
def test_without_a_monitor_no_card_is_empty(stage, open_page, name):
    page = open_page(f"{stage.server.url}{name}")
    expect(page.locator("#missing code")).to_have_text("stream-nb worker", timeout=WAIT_MS)
    texts = page.locator(".card:visible").all_inner_texts()
    assert all(len(text.split()) > 6 for text in texts), texts
    assert page.locator("#label-filter option").all_text_contents() == ["anything", "spam", "ham"]


def test_empty_lists_name_the_command_to_run(stage, open_page):
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    expect(page.locator("#missing code")).to_have_text("stream-nb worker", timeout=WAIT_MS)
    expect(page.locator("#no-mails code")).to_have_text("stream-nb worker")
    beat(stage, WORKER)
    expect(page.locator("#missing code")).to_have_text("stream-nb monitor", timeout=WAIT_MS)
    beat(stage, MONITOR)
    expect(page.locator("#missing code")).to_have_text("stream-nb feed PATH", timeout=WAIT_MS)
    stage.mail("m", "first")
    stage.reconcile()
    expect(page.locator("#missing")).to_be_hidden(timeout=WAIT_MS)
