"""`verify` finds labels that no worker has learned, unless the ledger may have evicted them."""

from __future__ import annotations

import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog, Topics
from consumers.records.schemas import EMAILS, LABELS, TOPICS, LabelRecord, encode
from consumers.settings import Settings, WorkerSettings
from consumers.worker.partition_task import PartitionTask
from tests.support.worker_run import run_worker


@pytest.fixture
def log():
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 1)
    return log


def mails(*names):
    return [ProducerRecord(EMAILS, name.encode(), f"Subject: {name}\n\nabout {name}".encode()) for name in names]


def labels(*names):
    return [ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, "ham", "ann", 1.0))) for name in names]


@pytest.mark.parametrize("kept", ["", "a"])
def test_a_label_that_a_worker_passed_over_is_found(log, monkeypatch, kept):
    add_label = PartitionTask.add_label

    def add(task, record):
        if record.key == kept.encode():
            add_label(task, record)

    monkeypatch.setattr(PartitionTask, "add_label", add)
    run_worker(log, Settings(), [*mails("a", "b"), *labels("a", "b")])
    lost = sorted({"a", "b"} - {kept})
    assert verify(log, Settings()).differences == [
        f"message {name!r} of partition 0: the ledger has no entry, the label records ham" for name in lost
    ]


@pytest.mark.parametrize("early", [False, True], ids=["with its mail", "before its mail"])
def test_an_evicted_label_is_no_difference(log, early):
    settings = Settings(worker=WorkerSettings(remember_days=1e-9))
    run_worker(log, settings, labels("a") if early else [*mails("a"), *labels("a")])
    run_worker(log, settings, [*mails("b"), *labels("b")])
    found = verify(log, settings)
    assert found.differences == []
    assert found.left_out["labels that the ledger may have evicted or refused"] >= 1
