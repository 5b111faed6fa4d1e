"""Which mails the monitor shows as learned, in whatever order it reads predictions and deltas, and the backlog."""

from __future__ import annotations

import time

import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.monitor import topic
from consumers.monitor.figures.label_sources import MAX_SOURCES
from consumers.monitor.service import Monitor
from consumers.records.schemas import EMAILS, LABELS, MODEL, LabelRecord, encode
from consumers.settings import MonitorSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.support.memory_log import new_log
from tests.support.monitor_stream import catch_up
from tests.support.worker_run import run_worker

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.01), monitor=MonitorSettings(port=0))
MAILS = 30


def mails(log: MemoryLog, first: int = 0) -> None:
    """Mails of two kinds; two of three get a label, and one label is withdrawn."""
    for number in range(first, first + MAILS):
        name, kind = f"m{number}", ("spam", "ham", "ham")[number % 3]
        log.append([ProducerRecord(EMAILS, name.encode(), f"Subject: {kind} {number}\n\nabout {kind}\n".encode())])
        if number % 3 != 1:
            label(log, name, kind)
    label(log, f"m{first}", None)


def label(log: MemoryLog, message_id: str, name: str | None, source: str = "people") -> None:
    value = encode(LabelRecord(message_id, name, source, time.time()))
    log.append([ProducerRecord(LABELS, message_id.encode(), value)])


def watch(log: MemoryLog) -> Monitor:
    monitor = Monitor(MemoryLog(log.topics), SETTINGS)
    catch_up(monitor)
    return monitor


def shown(log: MemoryLog) -> dict[str, str | None]:
    """Message id -> the learned label in its newest row."""
    rows = {}
    for record in log.scan(topic.MONITOR_PARTITION):
        if record.key.startswith(b"mail/"):
            row = topic.decode_record(record).value
            rows[row.id] = row.learned_label
    return rows


def learned_labels(worker: Worker) -> dict[str, str]:
    """Message id -> the label that counts in the model."""
    entries = worker.replica.ledger(0).entries.values()
    return {entry.id: entry.update.label for entry in entries if entry.update is not None}


def expect_all_shown(log: MemoryLog, worker: Worker, mails: int = MAILS) -> None:
    assert len(learned_labels(worker)) > mails / 2
    assert shown(log) == {f"m{n}": learned_labels(worker).get(f"m{n}") for n in range(mails)}


def test_a_monitor_started_after_the_worker_shows_learned_labels():
    log = new_log()
    mails(log)
    worker = run_worker(log)
    watch(log)
    expect_all_shown(log, worker)


def test_a_restarted_monitor_shows_labels_learned_while_it_was_down():
    log = new_log()
    mails(log)
    for number in range(MAILS):
        label(log, f"m{number}", None)
    run_worker(log)
    watch(log)
    for number in range(MAILS):
        label(log, f"m{number}", "ham")
    worker = run_worker(log)
    watch(log)
    expect_all_shown(log, worker)


def test_learned_labels_are_kept_over_a_restart():
    log = new_log()
    mails(log)
    worker = run_worker(log)
    watch(log)
    before = log.end_offset(topic.MONITOR_PARTITION)
    watch(log)
    expect_all_shown(log, worker)
    assert log.end_offset(topic.MONITOR_PARTITION) - before < 2 * MAILS + 10


@pytest.mark.parametrize("late", ["predictions", MODEL])
def test_predictions_and_deltas_may_be_read_in_either_order(late, monkeypatch):
    log = new_log()
    mails(log)
    run_worker(log)
    monitor = watch(log)
    mails(log, first=MAILS)
    worker = run_worker(log)
    if late == MODEL:
        with monkeypatch.context() as patch:
            patch.setattr(monitor._observer._replica, "follow", list)
            catch_up(monitor)
        assert shown(log) != {f"m{n}": learned_labels(worker).get(f"m{n}") for n in range(2 * MAILS)}
    else:
        monitor.publish(curves=False)
    catch_up(monitor)
    expect_all_shown(log, worker, 2 * MAILS)


def test_what_only_the_monitor_has_not_read_is_no_backlog_of_workers():
    log = new_log()
    mails(log)
    run_worker(log)
    monitor = watch(log)
    mails(log, first=MAILS)
    run_worker(log)
    monitor.publish(curves=False)
    assert monitor.view is not None
    assert {(each.topic, each.records) for each in monitor.view.log_status.lag} == {(EMAILS, 0), (LABELS, 0)}


def test_the_view_does_not_grow_with_ever_new_sources():
    log = new_log()
    mails(log)
    for number in range(MAX_SOURCES + 50):
        label(log, "m0", "spam", f"source {number}")
        label(log, f"m{number % MAILS}", "ham", f"source {number}")
    worker = run_worker(log)
    view = watch(log).view
    assert view is not None
    assert view.log_status.reliability is not None
    shown_sources = {source.name for source in view.sources}
    in_model = set(worker.replica.require_model().statistics.sources)
    assert set(view.log_status.reliability) == in_model & shown_sources < in_model
