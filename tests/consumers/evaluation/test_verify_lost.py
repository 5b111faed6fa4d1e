"""`verify` finds labels that no worker has learned, unless the ledger may have evicted them."""

from __future__ import annotations

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.model.changelog import FORMAT, Checkpoint, Delta, delta_record, read_record
from consumers.model.ledger import LabelVote
from consumers.records.replay import read_all
from consumers.records.schemas import MODEL
from consumers.settings import Settings, WorkerSettings
from consumers.worker.partition_task import PartitionTask
from tests.support.memory_log import new_log
from tests.support.worker_run import label, run_worker, short_mail


@pytest.fixture
def log():
    return new_log()


def mails(*names):
    return [short_mail(name, f"about {name}") for name in names]


def labels(*names, called="ham"):
    return [label(name, called) for name in names]


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


def test_a_changed_label_that_the_model_has_not_learned_is_found(log):
    run_worker(log, Settings(), [*mails("a", "b"), *labels("a", "b")])
    assert (verify(log, Settings()).differences, verify(log, Settings()).updates) == ([], 2)
    delta = [read_record(record) for record in read_all(log, MODEL) if record.key.startswith(b"d/")][-1]
    entry = next(entry for entry in delta.entries if entry.id == "a")
    changed = msgspec.structs.replace(entry, votes=(LabelVote("ann", "spam", 1.0),))
    checkpoint = Checkpoint(delta.checkpoint.seq + 1, 3, 2)
    log.append([*labels("a", called="spam"), delta_record(Delta(FORMAT, 0, checkpoint, b"", (changed,)))])

    assert verify(log, Settings()).differences == [f"message 'a': labelled spam, learned as {entry.update}"]


@pytest.mark.parametrize("early", [False, True], ids=["with its mail", "before its mail"])
def test_an_evicted_label_is_no_difference(log, early):
    settings = Settings(worker=WorkerSettings(remember_days=1e-9))
    run_worker(log, settings, labels("a") if early else [*mails("a"), *labels("a")])
    run_worker(log, settings, [*mails("b"), *labels("b")])
    found = verify(log, settings)
    assert found.differences == []
    assert found.left_out["labels that the ledger may have evicted"] >= 1
