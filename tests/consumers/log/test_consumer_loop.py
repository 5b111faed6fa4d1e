"""The loop of a stage: acts on records in order of time, each once, and commits outputs with offsets."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.errors import Restart
from consumers.log.base import ProducerRecord, Record, TopicPartition
from consumers.log.consumer_loop import ConsumerLoop
from consumers.log.memory import MemoryLog, Topics
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS
from tests.support.memory_log import new_log
from tests.support.own_log import own_messages


class Echo(ConsumerLoop):
    """Copies the values that it reads to `predictions`, and commits every `every` steps."""

    def __init__(self, log: MemoryLog, every: int = 1, poll_s=0.0, poll_records=3, together=False) -> None:
        topics = (EMAILS, LABELS)
        super().__init__(log.join_group("echo", topics, "here-0"), topics, poll_records, poll_s, together)
        self._every = every
        self.steps = self.assignments = 0
        self.held: list[bytes | None] = []

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


class OneByOne(Echo):
    """Acts on one record in a step."""

    working = False

    @property
    def enough(self) -> bool:
        return True

    @property
    def busy(self) -> bool:
        return self.working


@pytest.fixture
def log() -> MemoryLog:
    log = new_log()
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


def test_topics_with_different_numbers_of_partitions_restart_the_loop():
    log = MemoryLog(Topics())
    for topic in TOPICS:
        log.create_topics([topic], 2 if topic.name == EMAILS else 1)

    with pytest.raises(Restart, match=r"assigned emails \[0, 1\], labels \[0\]: topics must have the same"):
        step(Echo(log), 1)


def test_records_are_processed_in_order_of_time_and_committed_with_their_offsets(log):
    loop = Echo(log)

    acted = step(loop, 8)

    assert acted == 8
    assert echoed(log) == IN_ORDER
    assert committed(log) == [4, 4]
    assert set(loop.progress().values()) == {(4, 0)}


def test_uncommitted_records_are_processed_again_after_a_new_assignment(log):
    loop = Echo(log, every=100)
    assert step(loop, 8) == 8 and loop.held == IN_ORDER
    assert (echoed(log), committed(log)) == ([], [0, 0])

    loop.consumer.reassign()
    assert step(loop, 8) == 8

    assert loop.assignments == 2
    assert loop.held == IN_ORDER
    loop.finish()
    assert (echoed(log), committed(log)) == (IN_ORDER, [4, 4])


def test_after_a_new_assignment_nothing_is_committed_for_records_that_are_polled_again(log):
    loop = Echo(log, every=100)
    step(loop, 8)

    loop.consumer.reassign()
    loop.step()
    loop.finish()

    assert (echoed(log), committed(log)) == ([], [0, 0])


def test_partitions_are_kept_if_they_were_assigned_before_and_nobody_moved_their_positions(log):
    loop, emails, labels = Echo(log), TopicPartition(EMAILS, 0), TopicPartition(LABELS, 0)
    step(loop, 8)
    assert loop.kept == frozenset()

    loop.consumer.reassign()
    loop.step()
    assert loop.kept == {emails, labels}

    log.topics.committed["echo", emails] = 2
    loop.consumer.reassign()
    loop.step()
    assert loop.kept == {labels}


def test_without_new_records_the_unchanged_positions_are_committed(log, monkeypatch):
    loop, written = Echo(log), []
    step(loop, 8)
    monkeypatch.setattr(loop.consumer, "commit", lambda outputs, next_offsets: written.append(dict(next_offsets)))

    loop.commit([])

    assert written == [{TopicPartition(EMAILS, 0): 4, TopicPartition(LABELS, 0): 4}]


def test_a_stage_resumes_at_its_groups_position_or_where_its_own_records_end_if_that_is_later(log, caplog):
    loop, place = Echo(log), TopicPartition(EMAILS, 0)
    step(loop, 8)
    assert [loop.resume_at(place, processed) for processed in (2, 4)] == [4, 4]
    assert own_messages(caplog) == []

    assert loop.resume_at(place, 6) == 6
    assert "emails[0]: the group's position was lost or set back to 4; continuing at 6" in caplog.text


def test_a_step_that_was_cut_short_is_continued_without_a_wait_and_polls_less(log, monkeypatch):
    loop, polls = OneByOne(log, poll_s=5.0), []
    poll = loop.consumer.poll
    monkeypatch.setattr(loop.consumer, "poll", lambda *given: polls.append(given[:2]) or poll(given[0], 0.0, given[2]))

    acted = [loop.step() for _ in range(13)]

    assert acted == [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0] and echoed(log) == IN_ORDER
    assert [timeout_s for _, timeout_s in polls] == [5.0] * 3 + [0.0] * 8 + [5.0] * 2
    assert [limit for limit, _ in polls] == [3] * 3 + [1] * 5 + [1, 2, 3] + [3] * 2
    loop.working = True
    loop.step()
    assert polls[-1] == (3, 0.0)


def test_a_partition_with_a_long_backlog_does_not_hold_up_the_others():
    log = new_log(2)
    log.append([ProducerRecord(EMAILS, b"k", b"%d" % n, 0, float(n)) for n in range(20)])
    log.append([ProducerRecord(EMAILS, b"k", b"other", 1, 0.0)])
    loop = OneByOne(log)

    step(loop, 30)

    assert echoed(log).index(b"other") < 20


def test_buffered_records_are_not_committed(log):
    """Three emails are polled, but only the first is known to be older than the next label, so the others wait."""
    loop = Echo(log)
    step(loop, 2)

    assert loop.waiting > 0
    assert sum(committed(log)) + sum(each.unread for each in loop.progress().values()) == 8
    assert [each.next_offset for each in loop.progress().values()] == committed(log)


@given(
    runs=st.lists(
        st.tuples(st.sampled_from((EMAILS, LABELS)), st.integers(0, 1), st.integers(0, 9), st.integers(1, 20)),
        max_size=10,
    ),
    together=st.booleans(),
)
def test_a_topic_ahead_of_another_is_paused_and_the_order_is_the_same(runs, together):
    def order(poll_records: int, most_waiting: int) -> list[tuple[str, int, int]]:
        log, acted, steps = MemoryLog(Topics()), [], 0
        log.create_topics(TOPICS, 2)
        for topic, number, second, count in runs:
            log.append(count * [ProducerRecord(topic, b"k", b"", number, float(second))])
        loop = Echo(log, poll_records=poll_records, together=together)
        loop.act = lambda records: acted.extend((each.topic, each.partition, each.offset) for each in records)
        while len(acted) < sum(count for *_, count in runs):
            loop.step()
            steps += 1
            assert loop.waiting <= most_waiting and steps < 300
        return acted if together else sorted(acted, key=lambda each: each[1])

    assert order(poll_records=2, most_waiting=3 * 3) == order(poll_records=1_000, most_waiting=0)


def test_stopping_commits_the_processed_records_and_a_successor_continues_after_them(log):
    loop, stop, beats = Echo(log, every=100), Event(), []

    def beat(ready: bool) -> None:
        beats.append(ready)
        if len(beats) == 8:
            stop.set()

    loop.run(stop, beat)

    assert beats == [True] * 8 + [False]
    assert echoed(log) == IN_ORDER
    assert step(Echo(log), 8) == 0


def test_a_fenced_loop_restarts(log):
    loop = Echo(log)
    step(loop, 1)
    Echo(log)

    with pytest.raises(Restart):
        loop.step()
