"""The contract of `Log`, tested on each kind: in memory, SQLite and real Apache Kafka."""

from __future__ import annotations

import random
import time

import pytest

from consumers.errors import TopicMismatch, UnknownTopic
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS
from tests.support.log_bench import everything, mails, soon, take
from tests.support.waiting import until


def test_topics_are_created_once(bench):
    log = bench.open()
    created = log.create_topics(TOPICS, partitions=2)
    assert sorted(name.rpartition("-")[2] for name in created) == sorted(spec.name for spec in TOPICS)
    assert log.create_topics(TOPICS, partitions=2) == []
    assert log.partitions(EMAILS) == log.partitions(LABELS) == log.partitions(PREDICTIONS)
    assert log.partitions(MODEL) == 1


def test_a_topic_with_another_cleanup_policy_is_refused_by_name(bench):
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


def test_reading_starts_at_any_offset_and_respects_its_limit(bench):
    log = bench.ready()
    log.append(mails(*range(10)))
    place = TopicPartition(EMAILS, 0)
    assert log.end_offset(place) == 10
    got = until(lambda: log.read({place: 4}, limit=3, timeout_s=1.0))
    assert [r.offset for r in got] == [4, 5, 6]
    assert log.read({place: 10}) == []
    assert log.read_at(place, 7).value == b"mail 7"
    assert log.read_at(place, 10) is None
    assert log.read_at(TopicPartition(EMAILS, 9), 7) is None
    assert [r.offset for r in log.scan(place, 8)] == [8, 9]


def test_single_records_are_found_in_any_order(bench):
    """Some offsets have no record: on Kafka, the end of each transaction takes one."""
    log = bench.ready()
    consumer = bench.open().join_group("workers", (EMAILS, LABELS), "here-0")
    until(lambda: consumer.poll(timeout_s=0.2) == [] and consumer.assignment)
    for number in range(30):
        outputs = [ProducerRecord(PREDICTIONS, b"%d" % number, b"%d" % each, 0) for each in range(number % 4)]
        consumer.commit(outputs, {})
    log.append([ProducerRecord(EMAILS, b"k%d" % number, b"%d" % number, 0) for number in range(400)])
    for place in (TopicPartition(PREDICTIONS, 0), TopicPartition(EMAILS, 0)):
        kept = {record.offset: record for record in log.scan(place)}
        offsets = list(range(log.end_offset(place) + 3))
        for order in (offsets, offsets[::-1], offsets[::7], random.Random(1).sample(offsets, len(offsets))):
            assert [log.read_at(place, offset) for offset in order] == [kept.get(offset) for offset in order]
    log.append([ProducerRecord(EMAILS, b"new", b"new", 0)])
    assert log.read_at(TopicPartition(EMAILS, 0), 400).key == b"new"
    consumer.close()


def test_partitions_polled_in_turn_without_waiting_are_all_read(bench):
    log = bench.ready()
    nexts = {TopicPartition(EMAILS, 0): 0, TopicPartition(LABELS, 0): 0}
    seen = dict.fromkeys(nexts, 0)

    def turn() -> list[int]:
        for place, next_offset in nexts.items():
            for record in log.read({place: next_offset}):
                nexts[place] = record.offset + 1
                seen[place] += 1
        time.sleep(0.1)  # as in a monitor, which has other work between polls
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


def test_a_key_has_the_same_partition_on_all_co_partitioned_topics(bench):
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


def test_a_compacted_topic_keeps_the_newest_value_of_each_key(bench):
    log = bench.ready()
    for n in range(20):
        log.append([ProducerRecord(MODEL, b"key-%d" % (n % 3), b"%d" % n, 0)])
    newest = {r.key: r.value for r in everything(log, MODEL)}
    assert newest == {b"key-2": b"17", b"key-0": b"18", b"key-1": b"19"}


def test_a_record_of_3_mib_can_be_appended_and_committed(bench):
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
