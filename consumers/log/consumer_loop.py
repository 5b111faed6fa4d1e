"""The loop of every stage that consumes as a member of a group: poll, merge by time, act, commit.

One step is
    1. poll: take what is there;
    2. notice a new assignment: drop what is not committed, and begin at the committed positions;
    3. merge: put the records of each partition into the order of time (`TimeMerge`);
    4. act on them;
    5. commit: outputs and positions in one transaction, now or at a later step.
What a step has not committed is not done: it comes once more after a restart or a new assignment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import NamedTuple

from ..errors import Restart
from .base import GroupConsumer, ProducerRecord, Record, TopicPartition
from .time_merge import TimeMerge


class Progress(NamedTuple):
    """How far a stage is in a partition: the offset after what it has committed, and the records it has yet to do."""

    next_offset: int
    unread: int


class ConsumerLoop(ABC):
    """A stage that consumes co-partitioned topics.

    Args:
        consumer: A member of the stage's group.
        topics: What it reads, in the order of records with the same timestamp.
        poll_records: Most records polled in a step, 1 or more.
        poll_s: Longest wait for the first record of a step, in seconds, 0 or more.
    """

    def __init__(self, consumer: GroupConsumer, topics: tuple[str, ...], poll_records: int, poll_s: float) -> None:
        self.consumer = consumer
        self.next_offsets: dict[TopicPartition, int] = {}
        """The positions after the records acted on since the last commit."""
        self._committed: dict[TopicPartition, int] = {}
        self._topics = topics
        self._merge = TimeMerge(topics, self.lag)
        self._poll_records = poll_records
        self._poll_s = poll_s
        self._generation = 0
        self._cut = False

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Partitions are held, and the stage is at work on them."""

    @abstractmethod
    def on_assignment(self) -> None:
        """Begin with the partitions of `consumer.assignment`, maybe the same as before, from the committed positions.

        What was learned or counted from records that are not committed must go: they come once more.
        """

    @abstractmethod
    def act(self, records: Iterator[Record]) -> None:
        """Act on all these records, in their order, and `commit` what is due."""

    def admit(self, records: list[Record]) -> list[Record]:
        """Choose from the records just polled those to act on; by default all."""
        return records

    def lag(self, place: TopicPartition) -> int | None:
        """Offsets of a partition that are still to be polled before the others may go on; None when not known."""
        return self.consumer.lag(place)

    @property
    def enough(self) -> bool:
        """No more records shall be acted on in this step; those that are left come in the next one."""
        return False

    @property
    def busy(self) -> bool:
        """There is work without new records: a step does not wait for them."""
        return False

    @abstractmethod
    def finish(self) -> None:
        """Commit what is still to be committed at an orderly end."""

    def run(self, stop: Event, beat: Callable[[bool], None] = lambda ready: None) -> None:
        """Step until `stop` is set; what was begun is committed first. Raises Restart.

        Args:
            stop: Looked at between steps.
            beat: Called with `ready` after each step, and with False at the end.
        """
        while not stop.is_set():
            self.step()
            beat(self.ready)
        self.finish()
        beat(False)
        self.consumer.close()

    def step(self, timeout_s: float | None = None) -> int:
        """One poll and what follows from it; returns the number of records acted on. Raises Restart.

        Args:
            timeout_s: Longest wait for a record, in seconds, 0 or more; None for that of the loop, or for no wait where
                there is work already.
        """
        limit = self._poll_records
        if self._cut:
            # Buffers shall not grow; a poll is needed all the same, to stay in the group.
            self._merge.rotate()
            limit = max(1, limit - self.waiting)
        if timeout_s is None:
            timeout_s = 0.0 if self._cut or self.busy else self._poll_s
        self._cut = False
        records = self.consumer.poll(limit, timeout_s)
        if self.consumer.generation != self._generation:
            self._generation = self.consumer.generation
            self._check_assignment()
            self._merge.assign(self.consumer.assignment)
            self.next_offsets = {}
            self._committed = {place: self.consumer.committed(place) for place in self.consumer.assignment}
            self.on_assignment()
            return 0
        self._merge.add(self.admit(records))
        acted = 0

        def in_order() -> Iterator[Record]:
            nonlocal acted
            ready = self._merge.ready()
            while not self._cut and (record := next(ready, None)) is not None:
                yield record
                self.next_offsets[record.place] = record.offset + 1
                acted += 1
                self._cut = self.enough

        self.act(in_order())
        return acted

    def _check_assignment(self) -> None:
        """Raise Restart where one topic has partitions that another has not: they are being added, topic by topic."""
        assigned = {
            topic: {each.partition for each in self.consumer.assignment if each.topic == topic}
            for topic in self._topics
        }
        if any(partitions != assigned[self._topics[0]] for partitions in assigned.values()):
            held = ", ".join(f"{topic} {sorted(partitions)}" for topic, partitions in assigned.items())
            raise Restart(f"assigned were {held}: topics must have the same partitions")

    def commit(self, outputs: Sequence[ProducerRecord]) -> None:
        """Append outputs and commit the positions after all records acted on, both or neither; raises Restart.

        Where no record was acted on the positions are committed as they are, so that a member that has been replaced is
        refused.
        """
        self.consumer.commit(outputs, self.next_offsets or self._committed)
        self._committed |= self.next_offsets
        self.next_offsets = {}

    @property
    def waiting(self) -> int:
        """Records polled whose turn has not come yet."""
        return self._merge.waiting

    def progress(self) -> dict[TopicPartition, Progress]:
        """How far the stage is in each assigned partition, as far as is known."""
        return {
            place: Progress(next_offset, self._merge.waiting_in(place) + (self.consumer.lag(place) or 0))
            for place, next_offset in sorted(self._committed.items())
        }
