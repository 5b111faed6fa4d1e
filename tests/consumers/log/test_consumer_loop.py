"""The loop of a stage: records in the order of time, outputs and positions together, each record done once."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from consumers.errors import Restart
from consumers.log.base import ProducerRecord, Record, TopicPartition
from consumers.log.consumer_loop import ConsumerLoop
from consumers.log.memory import MemoryLog, Topics
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS


class Echo(ConsumerLoop):
    """Puts the values of what it reads on another topic, every `every` steps."""

    def __init__(self, log: MemoryLog, every: int = 1) -> None:
        topics = (EMAILS, LABELS)
        super().__init__(log.join_group("echo", topics, "here-0"), topics, poll_records=3, poll_s=0.0)
        self._every = every
        self.steps = self.assignments = 0
        self.held: list[bytes | None] = []

    @property
    def ready(self) -> bool:
        return bool(self.consumer.assignment)

    def on_assignment(self) -> None:
        self.assignments += 1
        self.held = []

    def act(self, records: Iterator[Record]) -> None:
        self.held += [record.value for record in records]
        self.steps += 1
        if self.steps % self._every == 0:
            self.finish()

    def finish(self) -> None:
        self.commit([ProducerRecord(PREDICTIONS, None, value, 0) for value in self.held])
        self.held = []


@pytest.fixture
def log() -> MemoryLog:
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 1)
    for topic, first in ((EMAILS, 0.0), (LABELS, 0.5)):
        log.append([ProducerRecord(topic, b"k", b"%s %d" % (topic.encode(), n), 0, first + n) for n in range(4)])
    return log


IN_ORDER = [b"%s %d" % (topic, n) for n in range(4) for topic in (b"emails", b"labels")]


def echoed(log: MemoryLog) -> list[bytes | None]:
    return [record.value for record in log.scan(TopicPartition(PREDICTIONS, 0))]


def committed(log: MemoryLog) -> list[int]:
    return [log.topics.committed.get(("echo", TopicPartition(topic, 0)), 0) for topic in (EMAILS, LABELS)]


def step(loop: ConsumerLoop, times: int) -> int:
    return sum(loop.step() for _ in range(times))


def test_partitions_that_are_being_added_topic_by_topic_end_the_loop():
    log = MemoryLog(Topics())
    for topic in TOPICS:
        log.create_topics([topic], 2 if topic.name == EMAILS else 1)

    with pytest.raises(Restart, match=r"assigned emails \[0, 1\], labels \[0\]: topics must have the same"):
        step(Echo(log), 1)


def test_records_are_acted_on_in_the_order_of_time_and_committed_with_their_positions(log):
    loop = Echo(log)

    acted = step(loop, 8)

    assert acted == 8
    assert echoed(log) == IN_ORDER
    assert committed(log) == [4, 4]
    assert set(loop.progress().values()) == {(4, 0)}


def test_what_is_not_committed_is_acted_on_again_after_a_new_assignment_of_the_same_partitions(log):
    loop = Echo(log, every=100)
    assert step(loop, 8) == 8 and loop.held == IN_ORDER
    assert (echoed(log), committed(log)) == ([], [0, 0])

    loop.consumer.reassign()
    assert step(loop, 8) == 8

    assert loop.assignments == 2
    assert loop.held == IN_ORDER
    loop.finish()
    assert (echoed(log), committed(log)) == (IN_ORDER, [4, 4])


def test_records_that_wait_for_their_turn_are_not_committed(log):
    """Of three emails polled only the first can be older than the next label, which is not known yet."""
    loop = Echo(log)
    step(loop, 2)

    assert loop.waiting > 0
    assert sum(committed(log)) + sum(each.unread for each in loop.progress().values()) == 8
    assert [each.next_offset for each in loop.progress().values()] == committed(log)


def test_an_orderly_end_commits_what_was_done_and_a_successor_goes_on(log):
    loop, stop, beats = Echo(log, every=100), Event(), []

    def beat(ready: bool) -> None:
        beats.append(ready)
        if len(beats) == 8:
            stop.set()

    loop.run(stop, beat)

    assert beats == [True] * 8 + [False]
    assert echoed(log) == IN_ORDER
    assert step(Echo(log), 8) == 0


def test_a_loop_whose_place_was_taken_restarts(log):
    loop = Echo(log)
    step(loop, 1)
    Echo(log)

    with pytest.raises(Restart):
        loop.step()
