"""Records on `sums` that are invalid, or do not fit, change nothing; where sums are gone, deltas are read."""

from __future__ import annotations

import msgspec
import pytest

from consumers.errors import Restart, UnknownFormat
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.model import replica, sums
from consumers.model.changelog import PLACE as MODEL_PLACE
from consumers.model.changelog import Checkpoint
from consumers.model.replica import Replica
from consumers.model.sums import FORMAT, KEPT, PLACE, Sum, SumPart, read_sum, sum_record
from consumers.records.schemas import MODEL, SUMS
from consumers.worker.worker import Worker
from tests.consumers.combiner.sums_run import Clock, assert_same, combiner_on, new_topics, publish, with_sums
from tests.support.worker_run import EVERYTHING, label, short_mail, step_until_done

FAR = 10**12


class Stream:
    """A worker that writes deltas, a replica that follows sums, and a combiner."""

    def __init__(self) -> None:
        self.log = MemoryLog(new_topics(1))
        self.worker = Worker(MemoryLog(self.log.topics), EVERYTHING, "w-0")
        self.clock = Clock()
        self.combiner = combiner_on(MemoryLog(self.log.topics), EVERYTHING, self.clock)
        self.replica = Replica.load(MemoryLog(self.log.topics), with_sums(EVERYTHING))
        self.number = 0

    def learn(self, told: bool = True) -> None:
        """Teach one more label; `told` publishes it in a sum."""
        self.number += 1
        name = f"m{self.number}"
        self.log.append([short_mail(name, f"words {name}"), label(name, "spam")])
        step_until_done(self.worker)
        if told:
            publish(self.combiner, self.clock)

    def check(self) -> None:
        """Check that the replica has what the deltas give."""
        self.replica.follow()
        assert_same(self.replica, Replica.load(self.log, EVERYTHING))

    def put(self, total: Sum) -> None:
        self.log.append([sum_record(total, None)])


@pytest.fixture
def stream():
    stream = Stream()
    stream.learn()
    stream.check()
    return stream


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
    ],
)
def test_a_record_that_is_no_sum_is_counted_and_skipped(stream, record):
    stream.log.append([record])
    stream.learn()

    stream.check()

    assert stream.replica.require_model().labels_learned == 2


@pytest.mark.parametrize("far", [True, False])
@pytest.mark.parametrize(
    "forged",
    [
        {"changes": b"junk"},
        {"parts": (SumPart(0, 9, Checkpoint(9, 99, 99), ()),)},
        {"parts": (SumPart(0, -FAR, Checkpoint(FAR), ()),)},
        {"parts": (SumPart(0, 1, Checkpoint(1), ()),)},
    ],
)
def test_a_sum_that_does_not_fit_is_not_taken_and_its_deltas_are_read(stream, forged, far):
    """It may claim to cover everything up to the end, or beyond it."""
    first = stream.log.end_offset(MODEL_PLACE)
    stream.learn(told=False)
    stream.put(msgspec.structs.replace(Sum(FORMAT, 8, first, FAR if far else first + 1, b""), **forged))
    stream.learn()

    stream.check()


def test_a_sum_that_hides_a_delta_is_found_with_the_next_one(stream):
    """Anyone who may write sums can do that; the process then starts again from the deltas."""
    first = stream.log.end_offset(MODEL_PLACE)
    stream.learn(told=False)
    stream.put(Sum(FORMAT, 8, first, first + 1, b""))
    stream.learn()

    with pytest.raises(Restart, match="a delta is missing"):
        stream.replica.follow()
    assert any("sum 8" in text for text in verify(stream.log, EVERYTHING).differences)


@pytest.mark.parametrize("own", [True, False])
def test_a_delta_that_was_written_twice_counts_once(stream, own):
    """Also for a worker that has itself learned other deltas of the same sum."""
    again = next(record for record in stream.log.scan(MODEL_PLACE) if record.key == b"d/0/1")
    stream.worker = Worker(MemoryLog(stream.log.topics), with_sums(EVERYTHING), "w-1")
    stream.learn(told=False)
    stream.log.append([ProducerRecord(MODEL, again.key, again.value, 0)])
    stream.learn(told=False)
    assert stream.worker.replica.own_bytes > 0
    publish(stream.combiner, stream.clock)

    stream.replica = stream.worker.replica if own else stream.replica
    stream.check()


def test_a_sum_of_another_version_is_said(stream):
    stream.log.append([sum_record(Sum(FORMAT + 1, 8, 0, 5, b""), None)])

    with pytest.raises(UnknownFormat, match=r"sums\[0\]@\d+: .* of format"):
        stream.replica.follow()


def test_sums_that_are_gone_are_read_as_deltas(stream):
    for _ in range(3):
        stream.learn()
    del stream.log.topics.records[PLACE][1:3]
    stream.log.topics.records[PLACE] += [stream.log.topics.records[PLACE][-1]._replace(value=None, key=None)] * 2

    stream.check()


def test_deltas_that_are_gone_with_their_sums_are_a_restart(stream):
    for _ in range(3):
        stream.learn()
    records = stream.log.topics.records
    missing = next(record for record in records[MODEL_PLACE] if record.key == b"d/0/2")
    records[MODEL_PLACE][missing.offset] = missing._replace(value=None)
    records[PLACE][1] = records[PLACE][1]._replace(value=None)

    with pytest.raises(Restart, match="a delta is missing"):
        stream.replica.follow()


def test_without_a_combiner_labels_of_others_come_with_the_deltas_when_own_ones_pile_up(stream, monkeypatch):
    worker = Worker(MemoryLog(stream.log.topics), with_sums(EVERYTHING), "w-1")
    stream.worker = worker
    stream.learn(told=False)
    stream.learn(told=False)
    assert worker.replica.own_bytes > 0
    monkeypatch.setattr(replica, "MOST_OWN_BYTES", 0)

    worker.replica.follow()

    assert worker.replica.own_bytes == 0
    stream.combiner.step()
    publish(stream.combiner, stream.clock)
    worker.replica.follow()
    assert_same(worker.replica, Replica.load(stream.log, EVERYTHING))


def test_a_follower_that_starts_before_there_is_a_model_gets_it():
    log = MemoryLog(new_topics(1))
    early = Replica.load(log, with_sums(EVERYTHING))
    assert early.follow() == [] and early.model is None
    stream = Stream.__new__(Stream)
    stream.log, stream.clock, stream.number = log, Clock(), 0
    stream.worker = Worker(MemoryLog(log.topics), EVERYTHING, "w-0")
    stream.combiner = combiner_on(MemoryLog(log.topics), EVERYTHING, stream.clock)
    stream.learn()
    early.follow()
    stream.learn()
    early.follow()
    early.follow()

    assert_same(early, Replica.load(log, EVERYTHING))


def test_slots_take_turns(stream):
    total = read_sum(stream.log.topics.records[PLACE][0])

    assert sum_record(total, None).key == b"1"
    assert sum_record(msgspec.structs.replace(total, number=KEPT + 1), None).key == b"1"


def test_where_a_sum_is_too_large_for_a_record_the_deltas_are_read(stream, monkeypatch):
    monkeypatch.setattr(sums, "MOST_RECORD_BYTES", 10)
    stream.learn()

    stream.check()

    last = read_sum(stream.log.topics.records[PLACE][-1])
    assert (last.changes, last.parts) == (None, ())
    monkeypatch.undo()
    assert verify(stream.log, EVERYTHING).differences == ()


def test_a_full_sum_is_closed_before_the_next_delta(stream, monkeypatch):
    monkeypatch.setattr(sums, "MOST_SUM_BYTES", 10)
    before = len(stream.log.topics.records[PLACE])
    for _ in range(3):
        stream.learn(told=False)
    publish(stream.combiner, stream.clock)

    stream.check()

    assert [len(read_sum(record).parts) for record in stream.log.topics.records[PLACE][before:]] == [1, 1, 1]
