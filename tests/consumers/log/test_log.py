"""What every log promises, on each of them: in memory (the tests' own), SQLite, and real Apache Kafka."""

from __future__ import annotations

import time

import pytest

from consumers.errors import Restart, TopicMismatch, UnknownTopic, UserError
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS
from tests.support.log_bench import KINDS, MEMBER, everything, make_bench, soon, take, until


@pytest.fixture(params=KINDS)
def bench(request, tmp_path):
    bench = make_bench(request.param, request, tmp_path)
    yield bench
    bench.close()


def mails(*numbers: int, partition: int | None = 0) -> list[ProducerRecord]:
    return [ProducerRecord(EMAILS, b"id-%d" % n, b"mail %d" % n, partition) for n in numbers]


def test_topics_are_created_once(bench):
    log = bench.open()
    assert sorted(log.create_topics(TOPICS, partitions=2)) == sorted(spec.name for spec in TOPICS)
    assert log.create_topics(TOPICS, partitions=2) == []
    assert log.partitions(EMAILS) == log.partitions(LABELS) == log.partitions(PREDICTIONS)
    assert log.partitions(MODEL) == 1


def test_a_topic_kept_otherwise_is_refused_by_name(bench):
    log = bench.ready()
    with pytest.raises(TopicMismatch, match=EMAILS):
        log.create_topics([spec._replace(compacted=not spec.compacted) for spec in TOPICS], partitions=2)


def test_an_unknown_topic_is_named(bench):
    with pytest.raises(UnknownTopic, match="nowhere"):
        bench.ready().partitions("nowhere")


def test_records_come_back_as_they_were_appended(bench):
    log = bench.ready()
    appended = [
        ProducerRecord(EMAILS, b"a", b"\x00\xffraw", 0, timestamp=1000.123),
        ProducerRecord(EMAILS, None, b"", 0, timestamp=1000.0),
        ProducerRecord(EMAILS, "\u00e9".encode(), None, 0, timestamp=2000.5),
    ]
    log.append(appended)
    records = until(lambda: bench.open().read({TopicPartition(EMAILS, 0): 0}, timeout_s=1.0))
    assert [(r.key, r.value, r.timestamp) for r in records] == [(d.key, d.value, d.timestamp) for d in appended]
    assert [r.offset for r in records] == [0, 1, 2]
    assert records[1].location == "emails[0]@1"


def test_an_empty_partition_has_equal_ends_and_no_records(bench):
    log = bench.ready()
    place = TopicPartition(EMAILS, 0)
    assert log.start_offset(place) == log.end_offset(place) == 0
    assert log.read({place: 0}) == []
    assert log.read_at(place, 0) is None
    assert list(log.scan(place)) == []


def test_reading_starts_anywhere_and_respects_its_limit(bench):
    log = bench.ready()
    log.append(mails(*range(10)))
    place = TopicPartition(EMAILS, 0)
    assert log.end_offset(place) == 10
    got = until(lambda: log.read({place: 4}, limit=3, timeout_s=1.0))
    assert [r.offset for r in got] == [4, 5, 6]
    assert log.read({place: 10}) == []
    assert log.read_at(place, 7).value == b"mail 7"
    assert log.read_at(place, 10) is None
    assert [r.offset for r in log.scan(place, 8)] == [8, 9]


def test_two_places_followed_in_turns_without_waiting_are_both_read(bench):
    log = bench.ready()
    nexts = {TopicPartition(EMAILS, 0): 0, TopicPartition(LABELS, 0): 0}
    seen = dict.fromkeys(nexts, 0)

    def turn() -> list[int]:
        for place, next_offset in nexts.items():
            for record in log.read({place: next_offset}):
                nexts[place] = record.offset + 1
                seen[place] += 1
        time.sleep(0.1)  # as a monitor does, which has other work
        return list(seen.values())

    for want in (1, 2, 3):
        log.append([ProducerRecord(EMAILS, b"a", b"x", 0), ProducerRecord(LABELS, b"a", b"x", 0)])
        until(lambda want=want: turn() == [want, want])


def test_a_backlog_in_one_partition_does_not_hide_another(bench):
    log = bench.ready()
    log.append([*mails(*range(50)), ProducerRecord(LABELS, b"x", b"y", 0)])
    places = {TopicPartition(EMAILS, 0): 0, TopicPartition(LABELS, 0): 0}
    seen = set()

    def both() -> bool:
        for record in log.read(places, limit=20, timeout_s=0.5):
            seen.add(record.topic)
            places[TopicPartition(record.topic, record.partition)] = record.offset + 1
        return seen == {EMAILS, LABELS}

    until(both)


def test_a_key_keeps_to_its_partition_on_every_co_partitioned_topic(bench):
    log = bench.ready()
    for n in range(12):
        key = b"id-%d" % n
        log.append(
            [ProducerRecord(EMAILS, key, b"1"), ProducerRecord(LABELS, key, b"2"), ProducerRecord(EMAILS, key, b"3")]
        )
    partition = {r.key: r.partition for r in everything(log, EMAILS)}
    assert len(partition) == 12
    for record in everything(log, EMAILS) + everything(log, LABELS):
        assert record.partition == partition[record.key]


def test_a_member_reads_from_the_oldest_record_at_first(bench):
    log = bench.ready()
    log.append(mails(0, 1))
    consumer = bench.join_group(log)
    assert consumer.assignment == {
        TopicPartition(topic, p) for topic in (EMAILS, LABELS) for p in range(log.partitions(topic))
    }
    assert consumer.committed(TopicPartition(EMAILS, 0)) == 0
    assert [r.value for r in take(consumer, 2)] == [b"mail 0", b"mail 1"]


def test_what_is_committed_is_not_polled_again_and_the_rest_is(bench):
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


def test_positions_alone_and_outputs_alone_can_be_committed(bench):
    log = bench.ready()
    log.append(mails(0, 1))
    consumer = bench.join_group(log)
    take(consumer, 2)
    consumer.commit([], {TopicPartition(EMAILS, 0): 2})
    consumer.commit([ProducerRecord(PREDICTIONS, b"k", b"v", 0)], {})
    assert consumer.committed(TopicPartition(EMAILS, 0)) == 2
    assert len(soon(log, PREDICTIONS, 1)) == 1


def test_a_commit_that_fails_leaves_neither_outputs_nor_positions(bench):
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
    consumer.seek(TopicPartition(EMAILS, 0), 1)
    assert [r.offset for r in take(consumer, 2)] == [1, 2]


def test_lag_counts_down_to_zero(bench):
    log = bench.ready()
    log.append(mails(0, 1, 2, 3))
    consumer = bench.join_group(log)
    place = TopicPartition(EMAILS, 0)
    records: list = []
    while len(records) < 4:
        before = len(records)
        records += consumer.poll(limit=2, timeout_s=0.5)
        if len(records) > before:
            assert consumer.lag(place) == 4 - len(records)
    assert consumer.lag(place) == 0


def test_lag_reaches_zero_after_a_transaction_marker(bench):
    log = bench.ready()
    consumer = bench.join_group(log)
    consumer.commit([ProducerRecord(EMAILS, b"k", b"v", 0)] if bench.kind == "kafka" else [], {})
    log.append(mails(7))
    place = TopicPartition(EMAILS, 0)

    def done() -> bool:
        consumer.poll(timeout_s=0.2)
        return consumer.lag(place) == 0

    until(done)


def test_a_member_with_the_same_name_fences_the_one_before(bench):
    if bench.kind == "sqlite":
        pytest.skip("on SQLite the lock keeps the second out: sqlite/test_log.py")
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


def test_a_compacted_topic_keeps_the_newest_value_of_each_key(bench):
    log = bench.ready()
    for n in range(20):
        log.append([ProducerRecord(MODEL, b"key-%d" % (n % 3), b"%d" % n, 0)])
    newest = {r.key: r.value for r in everything(log, MODEL)}
    assert newest == {b"key-2": b"17", b"key-0": b"18", b"key-1": b"19"}


def test_a_large_record_fits(bench):
    log = bench.ready()
    value = bytes(range(256)) * (3 << 12)
    log.append([ProducerRecord(EMAILS, b"big", value, 0)])
    consumer = bench.join_group(log)
    assert take(consumer, 1)[0].value == value
    consumer.commit([ProducerRecord(MODEL, b"big", value, 0)], {TopicPartition(EMAILS, 0): 1})
    assert soon(log, MODEL, 1)[0].value == value


def test_closing_twice_is_allowed(bench):
    log = bench.ready()
    consumer = bench.join_group(log)
    consumer.close()
    consumer.close()
    log.close()
    log.close()
