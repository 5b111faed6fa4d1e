"""Sums that are invalid or do not fit change nothing; the deltas are read instead of them."""

from __future__ import annotations

import msgspec
import pytest

from consumers.errors import Restart
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.model import replica, sums
from consumers.model.changelog import MODEL_PARTITION, Checkpoint
from consumers.model.replica import Replica
from consumers.model.sums import FORMAT, KEPT, SUMS_PARTITION, Sum, SumPart, read_sum, sum_record
from consumers.records.schemas import MODEL, SUMS
from consumers.worker.worker import Worker
from tests.consumers.combiner.sums_run import Clock, assert_same, combiner_on, new_topics, publish, with_sums
from tests.support.worker_run import EVERYTHING, label, short_mail, step_until_done

FAR = 10**12


class Stages:
    """A worker that writes deltas, a combiner that writes sums, and a replica that follows them."""

    def __init__(self) -> None:
        self.log = MemoryLog(new_topics(1))
        self.worker = Worker(MemoryLog(self.log.topics), EVERYTHING, "w-0")
        self.clock = Clock()
        self.combiner = combiner_on(MemoryLog(self.log.topics), EVERYTHING, self.clock)
        self.replica = Replica.load(MemoryLog(self.log.topics), with_sums(EVERYTHING))
        self.number = 0

    def learn(self, publish_sum: bool = True) -> None:
        """Learn one more label; `publish_sum` has the combiner publish it."""
        self.number += 1
        name = f"m{self.number}"
        self.log.append([short_mail(name, f"words {name}"), label(name, "spam")])
        step_until_done(self.worker)
        if publish_sum:
            publish(self.combiner, self.clock)

    def check(self) -> None:
        """Check that the replica equals one that reads the deltas."""
        self.replica.follow()
        assert_same(self.replica, Replica.load(self.log, EVERYTHING))

    def put(self, total: Sum) -> None:
        self.log.append([sum_record(total, None)])


@pytest.fixture
def stages():
    stages = Stages()
    stages.learn()
    stages.check()
    return stages


@pytest.mark.parametrize(
    "record",
    [
        ProducerRecord(SUMS, None, b"junk"),
        ProducerRecord(SUMS, b"1", None),
        ProducerRecord(SUMS, b"\xff", msgspec.msgpack.encode([FORMAT])),
        ProducerRecord(SUMS, b"7", sum_record(Sum(FORMAT, 8, 0, 5, b""), None).value),
        sum_record(Sum(FORMAT, 8, 5, 5, b""), None),
        sum_record(Sum(FORMAT, 8, -1, 5, b""), None),
        sum_record(Sum(FORMAT, 8, 0, FAR, b""), None),
        sum_record(Sum(FORMAT, 8, 0, 5, b"", 2 * (SumPart(0, 1, Checkpoint(1), ()),)), None),
        sum_record(Sum(FORMAT + 1, 8, 0, 5, b""), None),  # a combiner of another version, or a forgery
    ],
)
def test_an_invalid_record_on_sums_is_skipped(stages, record):
    stages.log.append([record])
    stages.learn()

    stages.check()

    assert stages.replica.require_model().labels_learned == 2


@pytest.mark.parametrize("far", [True, False])
@pytest.mark.parametrize(
    "forged",
    [
        {"changes": b"junk"},
        {"parts": (SumPart(0, 9, Checkpoint(9, 99, 99), ()),)},
        {"parts": (SumPart(0, 9, Checkpoint(8), ()),)},
        {"parts": (SumPart(0, -FAR, Checkpoint(FAR), ()),)},
        {"parts": (SumPart(0, 1, Checkpoint(1), ()),)},
    ],
)
def test_a_sum_that_does_not_fit_is_skipped_and_its_deltas_are_read(stages, forged, far):
    """Also if it claims to cover offsets beyond the end of the topic."""
    first = stages.log.end_offset(MODEL_PARTITION)
    stages.learn(publish_sum=False)
    stages.put(msgspec.structs.replace(Sum(FORMAT, 8, first, FAR if far else first + 1, b""), **forged))
    for _ in range(2):
        stages.learn()
        stages.check()


def test_a_forged_sum_that_omits_a_delta_is_detected_with_the_next_sum(stages):
    """Anyone who may write to `sums` can do this; the process then restarts from the deltas."""
    first = stages.log.end_offset(MODEL_PARTITION)
    stages.learn(publish_sum=False)
    stages.put(Sum(FORMAT, 8, first, first + 1, b""))
    stages.learn()

    with pytest.raises(Restart, match="a delta is missing"):
        stages.replica.follow()
    assert any("sum 8" in text for text in verify(stages.log, EVERYTHING).differences)


@pytest.mark.parametrize("own", [True, False])
def test_a_delta_written_twice_counts_once(stages, own):
    """Also for a worker that wrote other deltas of the same sum itself."""
    first_delta = next(record for record in stages.log.scan(MODEL_PARTITION) if record.key == b"d/0/1")
    stages.worker = Worker(MemoryLog(stages.log.topics), with_sums(EVERYTHING), "w-1")
    stages.learn(publish_sum=False)
    stages.log.append([ProducerRecord(MODEL, first_delta.key, first_delta.value, 0)])
    stages.learn(publish_sum=False)
    assert stages.worker.replica.own_bytes > 0
    publish(stages.combiner, stages.clock)

    stages.replica = stages.worker.replica if own else stages.replica
    stages.check()


def test_instead_of_deleted_sums_the_deltas_are_read(stages):
    for _ in range(3):
        stages.learn()
    del stages.log.topics.records[SUMS_PARTITION][1:3]
    stages.log.topics.records[SUMS_PARTITION] += [
        stages.log.topics.records[SUMS_PARTITION][-1]._replace(value=None, key=None)
    ] * 2

    stages.check()


def test_deltas_deleted_together_with_their_sums_cause_a_restart(stages):
    for _ in range(3):
        stages.learn()
    records = stages.log.topics.records
    missing = next(record for record in records[MODEL_PARTITION] if record.key == b"d/0/2")
    records[MODEL_PARTITION][missing.offset] = missing._replace(value=None)
    records[SUMS_PARTITION][1] = records[SUMS_PARTITION][1]._replace(value=None)

    with pytest.raises(Restart, match="a delta is missing"):
        stages.replica.follow()


def test_without_a_combiner_deltas_are_read_once_a_workers_own_exceed_a_limit(stages, monkeypatch):
    worker = Worker(MemoryLog(stages.log.topics), with_sums(EVERYTHING), "w-1")
    stages.worker = worker
    stages.learn(publish_sum=False)
    stages.learn(publish_sum=False)
    assert worker.replica.own_bytes > 0
    monkeypatch.setattr(replica, "MOST_OWN_BYTES", 0)

    worker.replica.follow()

    assert worker.replica.own_bytes == 0
    stages.combiner.step()
    publish(stages.combiner, stages.clock)
    worker.replica.follow()
    assert_same(worker.replica, Replica.load(stages.log, EVERYTHING))


def test_a_replica_loaded_before_the_first_worker_starts_gets_its_model():
    log = MemoryLog(new_topics(1))
    early = Replica.load(log, with_sums(EVERYTHING))
    early.follow()
    assert early.model is None
    stages = Stages.__new__(Stages)
    stages.log, stages.clock, stages.number = log, Clock(), 0
    stages.worker = Worker(MemoryLog(log.topics), EVERYTHING, "w-0")
    stages.combiner = combiner_on(MemoryLog(log.topics), EVERYTHING, stages.clock)
    stages.learn()
    early.follow()
    stages.learn()
    early.follow()
    early.follow()

    assert_same(early, Replica.load(log, EVERYTHING))


def test_the_keys_of_sums_are_reused_cyclically(stages):
    total = read_sum(stages.log.topics.records[SUMS_PARTITION][0])

    assert sum_record(total, None).key == b"1"
    assert sum_record(msgspec.structs.replace(total, number=KEPT + 1), None).key == b"1"


def test_instead_of_a_sum_too_large_for_a_record_the_deltas_are_read(stages, monkeypatch):
    monkeypatch.setattr(sums, "MOST_RECORD_BYTES", 10)
    stages.learn()

    stages.check()

    last = read_sum(stages.log.topics.records[SUMS_PARTITION][-1])
    assert (last.changes, last.parts) == (None, ())
    monkeypatch.undo()
    assert verify(stages.log, EVERYTHING).differences == []


def test_a_full_sum_is_closed_before_the_next_delta(stages, monkeypatch):
    monkeypatch.setattr(sums, "MOST_SUM_BYTES", 10)
    before = len(stages.log.topics.records[SUMS_PARTITION])
    for _ in range(3):
        stages.learn(publish_sum=False)
    publish(stages.combiner, stages.clock)

    stages.check()

    assert [len(read_sum(record).parts) for record in stages.log.topics.records[SUMS_PARTITION][before:]] == [1, 1, 1]
