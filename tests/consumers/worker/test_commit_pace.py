"""The size of a commit is adapted to how fast the log is, and partitions share it."""

from __future__ import annotations

import json

import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import TopicPartition
from consumers.log.memory import MemoryLog
from consumers.records.replay import read_all
from consumers.records.schemas import MODEL, PREDICTIONS
from consumers.settings import LearnerSettings, Settings
from consumers.worker.commit_pace import (
    FIRST_BYTES,
    GOAL_S,
    LEAST_BYTES,
    MOST_BYTES,
    QUICK_S,
    SHORTEST_S,
    SLOW_S,
    CommitPace,
)
from consumers.worker.snapshot_writer import record_bytes
from consumers.worker.worker import Worker
from tests.support.worker_run import NEAR_ERROR, label, message, new_words, short_mail, step_until_done, without_waits


def test_a_backlog_is_committed_in_many_bounded_deltas_without_loss(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.worker.MOST_DELTA_BYTES", 2000)
    monkeypatch.setattr("consumers.worker.model_queue.AT_ONCE", 1)
    monkeypatch.setattr("consumers.worker.model_queue.MOST_BEGUN_BYTES", 2000)
    for name in ("MOST_BYTES", "FIRST_BYTES"):
        monkeypatch.setattr(f"consumers.worker.commit_pace.{name}", 10_000)
    log = MemoryLog(topics)
    for n in range(100):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
    worker = Worker(log, NEAR_ERROR, "w-0")
    step_until_done(worker)
    assert worker.totals.commits >= 10
    assert (worker.totals.mails, worker.totals.labels) == (100, 100)
    sizes = [len(record.value) for record in read_all(log, MODEL) if record.key.startswith(b"d/")]
    assert len(sizes) > 15 and max(sizes) < 8000
    assert sum(1 for _ in read_all(log, PREDICTIONS)) == 100
    assert verify(log, NEAR_ERROR).differences == []


@pytest.mark.parametrize("model", ["mail", "gaussian", "mixed"])
def test_a_commit_that_was_full_by_its_estimated_size_counts_as_full(model, topics, monkeypatch):
    """Otherwise the budget would never grow for models whose changes are smaller than estimated."""
    monkeypatch.setattr("consumers.worker.commit_pace.FIRST_BYTES", 50_000)
    noted: list[tuple[int, int]] = []
    monkeypatch.setattr(CommitPace, "note", lambda pace, size, seconds: noted.append((size, pace.budget)))
    log = MemoryLog(topics)
    for n in range(300):
        values = {f"number {i}": float(n % (i + 2)) for i in range(20)}
        log.append([message(f"m{n}", json.dumps({"id": f"m{n}", "text": "word " * 100, "features": values}).encode())])
        log.append([label(f"m{n}", "spam" if n % 3 else "ham")])
    worker = Worker(log, without_waits(Settings(learner=LearnerSettings(model=model))), "w-0")
    step_until_done(worker)

    assert len(noted) > 1 and all(size >= budget for size, budget in noted[:-1])


def test_the_scores_of_many_classes_count_in_the_size_of_a_commit(topics, monkeypatch):
    """Otherwise the first commit of a worker with a backlog would be too large for a slow link, at each restart."""
    log = MemoryLog(topics)
    worker = Worker(log, NEAR_ERROR, "w-0")
    for n in range(50):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", f"class{n} {'é' * 80}")])
    step_until_done(worker)
    log.append([short_mail(f"new{n}", new_words(n)) for n in range(100)])
    monkeypatch.setattr(worker, "_pace", CommitPace())
    worker.step()
    new = [record for record in read_all(log, PREDICTIONS) if record.key.startswith(b"new")]
    assert 0.8 * FIRST_BYTES < sum(map(record_bytes, new)) < 1.2 * FIRST_BYTES


def test_partitions_with_backlogs_progress_in_parallel(topics, monkeypatch):
    for name in ("MOST_BYTES", "FIRST_BYTES"):
        monkeypatch.setattr(f"consumers.worker.commit_pace.{name}", 3000)
    log = MemoryLog(topics)
    for partition in (0, 1):
        log.append([short_mail(f"m{partition}-{n}", new_words(n))._replace(partition=partition) for n in range(200)])
    worker = Worker(log, NEAR_ERROR, "w-0")
    worker.step()
    for _ in range(10):
        worker.step()
    assert all(log.end_offset(TopicPartition(PREDICTIONS, partition)) > 20 for partition in (0, 1))
    assert worker.totals.mails < 100
    step_until_done(worker)
    assert worker.totals.mails == 400


def test_the_byte_budget_shrinks_after_slow_commits_and_grows_after_quick_full_ones():
    pace = CommitPace()
    assert pace.budget == FIRST_BYTES
    for _ in range(20):
        pace.note(pace.budget, 1.1 * SLOW_S)
    assert pace.budget == LEAST_BYTES
    pace.note(10, 0.01)
    assert pace.budget == LEAST_BYTES
    pace.note(pace.budget, 1.1 * QUICK_S)
    assert pace.budget == LEAST_BYTES
    pace.note(pace.budget, GOAL_S / 5)
    assert pace.budget == 5 * LEAST_BYTES
    pace.note(pace.budget, 0.0)
    assert pace.budget == 5 * LEAST_BYTES * GOAL_S / SHORTEST_S
    for _ in range(20):
        pace.note(pace.budget, QUICK_S / 2)
    assert pace.budget == MOST_BYTES
