"""The loop of every stage that consumes as a member of a group: poll, merge by time, act, commit.

One step is
    1. poll: fetch the available records, of a partition with a poll's worth of buffered records none;
    2. on a new assignment: drop what is not committed, and begin at the committed positions;
    3. merge: sort the records of each partition, or of all together, by time (`TimeMerge`);
    4. act on them;
    5. commit: outputs and positions in one transaction, now or at a later step.
Records whose positions are not committed are polled again after a restart or a new assignment.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import NamedTuple

from ..errors import Restart
from .base import GroupConsumer, ProducerRecord, Record, TopicPartition
from .time_merge import TimeMerge

logger = logging.getLogger(__name__)


class Progress(NamedTuple):
    """A stage's progress in a partition: its committed next_offset, and the number of records still to process."""

    next_offset: int
    unread: int


class ConsumerLoop(ABC):
    """A stage that consumes co-partitioned topics.

    Args:
        consumer: A member of the stage's group.
        topics: The topics it reads; records with equal timestamps are ordered by their topic's rank here.
        poll_records: Most records polled in a step, 1 or more; a partition with so many that wait for others is not
            polled.
        poll_s: Longest wait for the first record of a step, in seconds, 0 or more.
        together: Whether to act on the records of all partitions in order of time, or on one partition after the other.
    """

    def __init__(
        self,
        consumer: GroupConsumer,
        topics: tuple[str, ...],
        poll_records: int,
        poll_s: float,
        together: bool = False,
    ) -> None:
        self.consumer = consumer
        self.next_offsets: dict[TopicPartition, int] = {}
        """The positions after the records acted on since the last commit."""
        self.kept: frozenset[TopicPartition] = frozenset()
        """The assigned partitions that were assigned before, too, and whose positions nobody else has moved since."""
        self.beat: Callable[[bool], None] = lambda ready: None
        """The `beat` of `run`, for what takes long within a step."""
        self._committed: dict[TopicPartition, int] = {}
        self._topics = topics
        self._merge = TimeMerge(topics, self.lag, together)
        self._poll_records = poll_records
        self._poll_s = poll_s
        self._generation = 0
        self._cut_short = False

    @property
    def ready(self) -> bool:
        """Whether the stage is working on assigned partitions; by default whether there are any."""
        return bool(self.consumer.assignment)

    @abstractmethod
    def on_assignment(self) -> None:
        """Begin with the partitions of `consumer.assignment`, possibly the same as before, at the committed positions.

        Drop what was learned or counted from uncommitted records, because they are polled again.
        """

    @abstractmethod
    def act(self, records: Iterator[Record]) -> None:
        """Act on all these records in order, and `commit` what is due."""

    def admit(self, records: list[Record]) -> list[Record]:
        """Choose which of the records just polled to act on; by default all."""
        return records

    def lag(self, place: TopicPartition) -> int | None:
        """How many offsets of a partition are still to be polled, for which other topics wait; None when unknown."""
        return self.consumer.lag(place)

    @property
    def enough(self) -> bool:
        """Whether to end the step here; the remaining records are left for the next step."""
        return False

    @property
    def busy(self) -> bool:
        """Whether there is work without new records, so that a step must not wait for them."""
        return False

    @abstractmethod
    def finish(self) -> None:
        """Commit what is still uncommitted before an orderly end."""

    def run(self, stop: Event, beat: Callable[[bool], None] = lambda ready: None) -> None:
        """Step until `stop` is set, then commit what was begun. `beat` is called with `ready` after each step, and with
        False at the end. Raises Restart."""
        self.beat = beat
        while not stop.is_set():
            self.step()
            beat(self.ready)
        self.finish()
        beat(False)
        self.consumer.close()

    def step(self, timeout_s: float | None = None) -> int:
        """Poll once, waiting at most `timeout_s` seconds for a record (None: the loop's `poll_s`, or not at all when
        there is work already), and process the result; returns the number of records acted on. Raises Restart."""
        limit = self._poll_records
        if self._cut_short:
            # The buffers must not grow, but a poll is still needed to stay in the group.
            self._merge.rotate()
            limit = max(1, limit - self.waiting)
        if timeout_s is None:
            timeout_s = 0.0 if self._cut_short or self.busy else self._poll_s
        self._cut_short = False
        # One topic may be far ahead of the others, for which its records wait.
        records = self.consumer.poll(limit, timeout_s, self._merge.full(self._poll_records))
        if self.consumer.generation != self._generation:
            self._generation = self.consumer.generation
            self._check_assignment()
            self._merge.assign(self.consumer.assignment)
            self.next_offsets = {}
            before = self._committed.items()
            self._committed = {place: self.consumer.committed(place) for place in self.consumer.assignment}
            self.kept = frozenset(place for place, _ in self._committed.items() & before)
            self.on_assignment()
            return 0
        self._merge.add(self.admit(records))
        acted = 0

        def in_order() -> Iterator[Record]:
            nonlocal acted
            ready = self._merge.ready()
            while not self._cut_short and (head := next(ready, None)) is not None:
                place, record = head
                yield record
                self.next_offsets[place] = record.offset + 1
                acted += 1
                self._cut_short = self.enough

        self.act(in_order())
        return acted

    def _check_assignment(self) -> None:
        """Raise Restart when a topic lacks partitions that another has: they are being added, topic by topic."""
        assigned = {
            topic: {each.partition for each in self.consumer.assignment if each.topic == topic}
            for topic in self._topics
        }
        if any(partitions != assigned[self._topics[0]] for partitions in assigned.values()):
            found = ", ".join(f"{topic} {sorted(partitions)}" for topic, partitions in assigned.items())
            raise Restart(f"assigned {found}: topics must have the same partitions")

    def commit(self, outputs: Sequence[ProducerRecord]) -> None:
        """Append outputs and commit the positions after all records acted on, both or neither; raises Restart.

        If no record was acted on, the unchanged positions are committed, so that a replaced member is fenced.
        """
        self.consumer.commit(outputs, self.next_offsets or self._committed)
        self._committed |= self.next_offsets
        self.next_offsets = {}

    def resume_at(self, place: TopicPartition, processed: int) -> int:
        """The committed position of a partition, or `processed`, where the stage's own records end, if that is later.

        People may reset a group's positions, and Kafka drops those of a group that was away for a week.
        """
        committed = self.consumer.committed(place)
        if committed < processed:
            logger.warning(
                "%s: the group's position was lost or set back to %d; continuing at %d, where this stage's records end",
                place, committed, processed, extra={"kind": f"lost position in {place}"},
            )  # fmt: skip
        return max(committed, processed)

    @property
    def waiting(self) -> int:
        """The number of records polled and not yet processed."""
        return self._merge.waiting

    def progress(self) -> dict[TopicPartition, Progress]:
        """The stage's progress in each assigned partition."""
        return {
            place: Progress(next_offset, self._merge.waiting_in(place) + self.consumer.lag(place))
            for place, next_offset in sorted(self._committed.items())
        }
