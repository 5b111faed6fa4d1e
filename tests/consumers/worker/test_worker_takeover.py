"""A worker that takes over a partition continues where its last owner stopped."""

from __future__ import annotations

import msgspec
import pytest

from consumers.errors import UserError
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.model.policy_editor import PolicyEditor
from consumers.records.policy import PolicyValues
from consumers.records.schemas import PREDICTIONS
from consumers.worker.worker import Worker
from tests.support.few_mails import mail
from tests.support.outputs import predictions, quarantined
from tests.support.shared_log import SharedLog
from tests.support.worker_run import EVERYTHING, label, run_worker, step_until_done


def test_after_a_group_lost_its_positions_a_worker_that_takes_over_learns_no_label_again(topics):
    """Only the deltas have them then, and the worker may not have read the last ones yet."""
    log = MemoryLog(topics)
    first, second = (Worker(SharedLog(topics, [partition]), EVERYTHING, f"w-{partition}") for partition in (0, 1))
    step_until_done(second)
    log.append([record._replace(partition=0) for record in (mail("a"), label("a", "spam"))])
    step_until_done(first)
    topics.committed.clear()

    first.consumer.hold([])
    second.consumer.hold([0, 1])
    step_until_done(second)

    assert second.replica.require_model().labels_learned == 1
    assert ([prediction.id for prediction in predictions(log)], quarantined(log)) == (["a"], [])
    assert verify(log, EVERYTHING).differences == []


def test_a_successor_finds_as_many_mails_whatever_else_takes_offsets(topics):
    """On Kafka the end of each transaction does; here records that no worker wrote."""
    worker = msgspec.structs.replace(EVERYTHING.worker, remember_mails=3, remember_labels=3)
    settings = msgspec.structs.replace(EVERYTHING, worker=worker)
    log = MemoryLog(topics)
    for name in "abcd":
        log.append([mail(name)._replace(partition=0), ProducerRecord(PREDICTIONS, b"foreign", b"x", 0)])
        run_worker(log, settings)
    log.append([label(name, "spam")._replace(partition=0) for name in "ab"])

    assert run_worker(log, settings).replica.require_model().labels_learned == 1  # of the third mail from the end
    assert verify(log, settings).differences == []


def test_only_predictions_of_partitions_that_others_had_are_read_at_an_assignment(topics, monkeypatch):
    """Reading a hundred thousand of them takes a second, in which the worker scores nothing."""
    log = MemoryLog(topics)
    first, second = (Worker(SharedLog(topics, held), EVERYTHING, f"w-{held}") for held in ([0, 1], []))
    scanned: list[int] = []

    def scan(self, place, next_offset=0, plain=SharedLog.scan):
        scanned.extend([place.partition] * (place.topic == PREDICTIONS))
        return plain(self, place, next_offset)

    monkeypatch.setattr(SharedLog, "scan", scan)

    def assign(*of_second):
        """Give these partitions to the second worker; return the partitions of which the first reads predictions."""
        second.consumer.hold(of_second)
        second.step()
        scanned.clear()
        first.consumer.hold({0, 1}.difference(of_second))
        first.step()
        step_until_done(first)
        return scanned

    def append(partition, *records):
        log.append([record._replace(partition=partition) for record in records])

    append(0, mail("a"), label("a", "spam"))
    append(1, mail("b"))
    assert assign() == [0, 1]
    assert assign(1) == []
    append(1, mail("c"))
    step_until_done(second)
    append(0, mail("d"))
    step_until_done(first)
    assert assign() == [1]
    append(0, mail("d"), label("d", "ham"))
    append(1, mail("b"), label("b", "ham"), label("c", "spam"))
    assert assign() == []

    assert sorted(prediction.id for prediction in predictions(log)) == ["a", "b", "c", "d"]
    assert sorted(record.reason for record in quarantined(log)) == ["duplicate-id", "duplicate-id"]
    assert first.replica.require_model().labels_learned == 4
    assert verify(log, EVERYTHING).differences == []


def test_a_successor_applies_a_change_of_the_policy_that_the_last_owner_has_applied(topics, monkeypatch):
    """Clients receive records when they happen to arrive, so one worker may know of a change before another."""
    log = MemoryLog(topics)
    first, second = (Worker(SharedLog(topics, held), EVERYTHING, f"w-{held}") for held in ([0, 1], []))
    second.step()
    PolicyEditor(log, EVERYTHING.learner).change(PolicyValues(threshold=1.5), "ann")
    monkeypatch.setattr(second._policies, "follow", lambda: None)  # it has not been received

    for name, worker in (("a", first), ("b", second)):
        first.consumer.hold([0, 1] if worker is first else [])
        second.consumer.hold([0, 1] if worker is second else [])
        log.append([mail(name)._replace(partition=0)])
        step_until_done(worker)

    assert [(prediction.id, prediction.policy) for prediction in predictions(log)] == [("a", 0), ("b", 0)]
    assert verify(log, EVERYTHING).differences == []


def test_a_worker_ends_if_another_group_processes_its_partitions_too(topics):
    """Else each mail is scored twice, and the two models drift apart."""
    log = MemoryLog(topics)
    other = msgspec.structs.replace(EVERYTHING, worker=msgspec.structs.replace(EVERYTHING.worker, group="other"))
    worker = Worker(log, EVERYTHING, "w-0")
    step_until_done(worker)
    run_worker(log, other, [mail("a"), label("a", "spam")])

    with pytest.raises(UserError, match=r"partition \d .* other than stream-nb, too: .* \[worker\] group"):
        step_until_done(worker)
    run_worker(log, other)
    assert [each.id for each in predictions(log)] == ["a"]
    assert verify(log, EVERYTHING).differences == []
