"""The contract of `GroupConsumer`, tested on each kind of log."""

from __future__ import annotations

import pytest

from consumers.errors import Restart, UserError
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS
from tests.support.log_bench import MEMBER, everything, mails, soon, take
from tests.support.waiting import until


def votes(count):
    return [ProducerRecord(LABELS, b"id-%d" % number, b"label", 0) for number in range(count)]


def undisturbed(consumer, act):
    """What `act` returns if there is no new assignment meanwhile, after which all records are polled again."""
    for _ in range(5):
        generation = consumer.generation
        result = act()
        if consumer.generation == generation:
            break
    return result


def test_a_new_group_starts_at_the_oldest_record(bench):
    log = bench.ready()
    log.append(mails(0, 1))
    consumer = bench.join_group(log)
    assert consumer.assignment == {*log.places(EMAILS, LABELS)}
    assert consumer.committed(TopicPartition(EMAILS, 0)) == 0
    assert [r.value for r in take(consumer, 2)] == [b"mail 0", b"mail 1"]


def test_a_successor_starts_at_the_committed_offsets(bench):
    log = bench.ready()
    log.append(mails(0, 1, 2))
    consumer = bench.join_group(log)
    take(consumer, 3)
    consumer.commit([ProducerRecord(PREDICTIONS, b"id-0", b"ham", 0)], {TopicPartition(EMAILS, 0): 1})
    consumer.close()
    successor = bench.join_group(bench.open())
    assert successor.committed(TopicPartition(EMAILS, 0)) == 1
    assert [r.value for r in take(successor, 2)] == [b"mail 1", b"mail 2"]
    assert [r.value for r in soon(log, PREDICTIONS, 1)] == [b"ham"]


def test_offsets_can_be_committed_without_outputs_and_outputs_without_offsets(bench):
    log = bench.ready()
    log.append(mails(0, 1))
    consumer = bench.join_group(log)
    take(consumer, 2)
    consumer.commit([], {TopicPartition(EMAILS, 0): 2})
    consumer.commit([ProducerRecord(PREDICTIONS, b"k", b"v", 0)], {})
    assert consumer.committed(TopicPartition(EMAILS, 0)) == 2
    assert len(soon(log, PREDICTIONS, 1)) == 1


def test_a_failed_commit_leaves_neither_outputs_nor_offsets(bench):
    if bench.kind == "memory":
        pytest.skip("the log in memory checks no topics in a commit")
    log = bench.ready()
    log.append(mails(0))
    consumer = bench.join_group(log)
    take(consumer, 1)
    refused = (
        ProducerRecord(PREDICTIONS, b"k", bytes(8 << 20), 0)
        if bench.kind == "kafka"
        else ProducerRecord("nowhere", b"k", b"v", 0)
    )
    outputs = [ProducerRecord(PREDICTIONS, b"id-0", b"ham", 0), refused]
    with pytest.raises((Restart, UserError)):
        consumer.commit(outputs, {TopicPartition(EMAILS, 0): 1})
    consumer.close()
    successor = bench.join_group(bench.open())
    assert successor.committed(TopicPartition(EMAILS, 0)) == 0
    assert everything(log, PREDICTIONS) == []
    assert len(take(successor, 1)) == 1


def test_seek_moves_the_position(bench):
    log = bench.ready()
    log.append(mails(0, 1, 2))
    consumer = bench.join_group(log)
    take(consumer, 3)
    for _ in range(5):
        consumer.seek(TopicPartition(EMAILS, 0), 1)
        offsets = [record.offset for record in take(consumer, 2)]
        if offsets[0] != 0:  # else a new assignment, which polls all records again
            break
    assert offsets == [1, 2]


def test_polls_leave_out_paused_partitions_and_later_continue_where_they_were(bench):
    log, paused = bench.ready(), TopicPartition(EMAILS, 0)
    log.append(mails(*range(6)))
    consumer = bench.join_group(log)

    def poll_in_parts():
        consumer.seek(paused, 0)
        first = until(lambda: consumer.poll(limit=2, timeout_s=0.2))
        log.append(votes(3))
        others = take(consumer, 3, paused=[paused])
        return [record.topic for record in others], [record.offset for record in first + take(consumer, 4)]

    assert undisturbed(consumer, poll_in_parts) == ([LABELS] * 3, [0, 1, 2, 3, 4, 5])


def test_a_poll_with_all_partitions_paused_returns_nothing(bench):
    log = bench.ready()
    log.append(mails(0))
    consumer = bench.join_group(log)
    assert consumer.poll(timeout_s=0.05, paused=consumer.assignment) == []
    assert [record.offset for record in take(consumer, 1)] == [0]


def test_the_lag_of_a_paused_partition_includes_records_that_arrive_meanwhile(bench):
    log, paused = bench.ready(), TopicPartition(EMAILS, 0)
    log.append(mails(0))
    consumer = bench.join_group(log)

    def lag_after_two_more():
        until(lambda: consumer.poll(timeout_s=0.2) == [] and consumer.lag(paused) == 0)
        log.append(mails(1, 2) + votes(1))
        take(consumer, 1, paused=[paused])
        return consumer.lag(paused)

    assert undisturbed(consumer, lag_after_two_more) == 2


def test_lag_is_known_from_the_assignment_on(bench):
    log = bench.ready()
    log.append(mails(0, 1, 2))
    consumer = bench.join_group(log)
    assert consumer.lag(TopicPartition(EMAILS, 0)) == 3
    assert consumer.lag(TopicPartition(LABELS, 0)) == 0


def test_lag_is_the_number_of_unread_records(bench):
    log = bench.ready()
    log.append(mails(0, 1, 2, 3))
    consumer = bench.join_group(log)
    place = TopicPartition(EMAILS, 0)
    last = -1
    while last < 3:
        records = consumer.poll(limit=2, timeout_s=0.5)
        if records:
            last = records[-1].offset  # an offset, not a count, because a new assignment polls the records again
            assert consumer.lag(place) == 3 - last


def test_lag_reaches_zero_although_a_transaction_marker_has_an_offset(bench):
    log = bench.ready()
    consumer = bench.join_group(log)
    consumer.commit([ProducerRecord(EMAILS, b"k", b"v", 0)] if bench.kind == "kafka" else [], {})
    log.append(mails(7))
    place = TopicPartition(EMAILS, 0)

    def done() -> bool:
        consumer.poll(timeout_s=0.2)
        return consumer.lag(place) == 0

    until(done)


def test_a_new_member_with_the_same_name_fences_the_old_one(bench):
    if bench.kind == "sqlite":
        pytest.skip("on SQLite a lock keeps the second member out: sqlite/test_log.py")
    log = bench.ready()
    log.append(mails(0))
    zombie = bench.join_group(log)
    take(zombie, 1)
    successor = bench.join_group(bench.open())
    with pytest.raises(Restart) as doubt:
        zombie.commit([ProducerRecord(PREDICTIONS, b"id-0", b"zombie", 0)], {TopicPartition(EMAILS, 0): 1})
    assert bench.kind == "memory" or f"joined as {MEMBER}" in str(doubt.value)
    take(successor, 1)
    successor.commit([ProducerRecord(PREDICTIONS, b"id-0", b"successor", 0)], {TopicPartition(EMAILS, 0): 1})
    assert [r.value for r in soon(log, PREDICTIONS, 1)] == [b"successor"]


def test_polls_of_large_records_are_limited_in_bytes(bench):
    log = bench.ready()
    place, large = TopicPartition(EMAILS, 0), bytes(200_000)
    for first in range(0, 400, 100):
        log.append([ProducerRecord(EMAILS, b"%d" % n, large, 0) for n in range(first, first + 100)])
    consumer = bench.join_group(log)
    counts, seen = list[int](), set[int]()

    def poll_all() -> bool:  # a rebalance meanwhile makes it read from the start again
        records = consumer.poll(limit=400, timeout_s=0.2)
        counts.append(len(records))
        seen.update(record.offset for record in records)
        return len(seen) == 400

    until(poll_all)
    assert 100 < max(counts) <= 250
    read = log.read({place: 0}, limit=400, timeout_s=20.0)
    assert 100 < len(read) <= 250
    assert len(list(log.scan(place))) == 400
