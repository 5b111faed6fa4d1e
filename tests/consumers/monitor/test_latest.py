"""Where the latest records of a topic begin; they are reread up to the ends, where the consumer then continues."""

from __future__ import annotations

import pytest

from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryGroupConsumer
from consumers.monitor.latest import UNEVEN, Rewind, first_offsets
from consumers.records.schemas import LABELS, PREDICTIONS
from tests.support.memory_log import new_log

PLACE, OTHER = TopicPartition(PREDICTIONS, 0), TopicPartition(LABELS, 0)


@pytest.mark.parametrize(("partitions", "each"), [(1, 1000), (2, 1000), (UNEVEN, 1000), (40, 100), (300, 14)])
def test_each_partition_is_read_from_some_times_its_equal_share_before_its_end(partitions, each):
    places = [TopicPartition(PREDICTIONS, number) for number in range(partitions)]
    firsts = first_offsets(new_log(partitions), dict.fromkeys(places, 5000), 1000)
    assert firsts == dict.fromkeys(places, 5000 - each)


def test_a_short_partition_is_read_from_its_start():
    log = new_log()
    assert first_offsets(log, {PLACE: 7}, 1000) == {PLACE: log.start_offset(PLACE)}


@pytest.fixture
def consumer() -> MemoryGroupConsumer:
    log = new_log()
    log.append([ProducerRecord(PREDICTIONS, b"k", b"%d" % n, 0) for n in range(10)])
    consumer = log.join_group("monitor", (PREDICTIONS, LABELS), "here-0")
    consumer.poll()
    return consumer


def offsets(records) -> list[int]:
    return [record.offset for record in records]


def test_only_records_before_the_end_are_admitted_and_reading_continues_at_the_end(consumer):
    rewind = Rewind(consumer, {PLACE: 2, OTHER: 0}, {PLACE: 6, OTHER: 0})
    assert (rewind.lag(PLACE), rewind.lag(OTHER)) == (None, 0)
    assert offsets(rewind.admit(consumer.poll(limit=3))) == [2, 3, 4]
    assert not rewind.finish()

    assert offsets(rewind.admit(consumer.poll(limit=3))) == [5]
    assert rewind.lag(PLACE) == 0
    assert rewind.finish()

    assert offsets(consumer.poll()) == [6, 7, 8, 9]


def test_the_end_is_reached_although_the_last_offsets_before_it_have_no_record(consumer):
    """A transaction marker takes an offset, for example."""
    rewind = Rewind(consumer, {PLACE: 8, OTHER: 0}, {PLACE: 12, OTHER: 0})

    assert offsets(rewind.admit(consumer.poll())) == [8, 9]

    assert rewind.finish()


def test_without_records_to_reread_the_rewind_finishes_at_once(consumer):
    assert Rewind(consumer, {PLACE: 4, OTHER: 0}, {PLACE: 4, OTHER: 0}).finish()
    assert offsets(consumer.poll(limit=1)) == [4]
