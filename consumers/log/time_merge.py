"""Merge the records of co-partitioned topics by timestamp, those of each partition or of all partitions together.

A worker that starts with a backlog of mails and labels must process them in the order in which they happened: score a
mail, learn its label, score the next. So records of the same partition of several topics are merged by timestamp, and a
record waits while the next record of another topic is unknown, because that might be older. At equal timestamps the
mail comes first, because a label cannot be older than its mail. Kafka Streams orders its input in the same way
("stream time"). A monitor, whose figures are about the latest mails of all partitions, merges all of them: otherwise it
would count the backlog of one partition before the older mails of the next.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from .base import Record, TopicPartition
from .read_size import are_large
from .runs import runs


class TimeMerge:
    """Buffers records and returns them in timestamp order.

    Records of one topic and partition always keep the order of the log, even if their timestamps decrease.

    Args:
        topics: All topics of the records; records with equal timestamps are ordered by their topic's rank here.
        lag: Returns how many offsets of a partition are still to be polled, 0 or more; None when unknown.
        together: Whether to merge all partitions; False merges the topics of each partition.
    """

    def __init__(
        self, topics: tuple[str, ...], lag: Callable[[TopicPartition], int | None], together: bool = False
    ) -> None:
        self._rank = {topic: rank for rank, topic in enumerate(topics)}
        self._lag = lag
        self._together = together
        self._groups: dict[int, dict[TopicPartition, deque[Record]]] = {}

    def assign(self, assignment: Iterable[TopicPartition]) -> None:
        """Clear the buffers and expect records of these partitions; those of the lowest come first."""
        self._groups = {}
        for place in sorted(assignment):  # an order that repeats, unlike a set's
            self._groups.setdefault(self._group_of(place), {})[place] = deque()

    def add(self, records: Iterable[Record]) -> None:
        """Buffer `records` of assigned partitions, in the order in which they were polled."""
        for place, run in runs(records):
            self._groups[self._group_of(place)][place].extend(run)

    @property
    def waiting(self) -> int:
        """The number of buffered records."""
        return sum(len(buffer) for group in self._groups.values() for buffer in group.values())

    def waiting_in(self, place: TopicPartition) -> int:
        """The number of buffered records of one partition."""
        return len(self._groups[self._group_of(place)][place])

    def full(self, most: int) -> list[TopicPartition]:
        """The partitions with `most` buffered records or more, or with as many bytes as one read of the log returns.

        Once `ready` is exhausted, those that share a group with a full one include one with an empty buffer.
        """
        buffers = [each for group in self._groups.values() for each in group.items()]
        return [place for place, buffer in buffers if len(buffer) >= most or are_large(buffer)]

    def rotate(self) -> None:
        """Move the first partition to the end, so that one with a long backlog does not starve the others."""
        first = next(iter(self._groups), None)
        if first is not None:
            self._groups[first] = self._groups.pop(first)

    def ready(self) -> Iterator[tuple[TopicPartition, Record]]:
        """Yield the records that need not wait any longer, group by group, each with its place."""
        for group in self._groups.values():
            heads = [self._head(place, buffer) for place, buffer in group.items() if buffer]
            heapq.heapify(heads)
            # An empty buffer blocks the others, if there are any, unless its partition has been read to the end.
            blocked = not heads or any(not buffer and self._lag(place) != 0 for place, buffer in group.items())
            while heads and not blocked:
                place = heads[0][-1]
                buffer = group[place]
                yield place, buffer.popleft()
                if buffer:
                    heapq.heapreplace(heads, self._head(place, buffer))
                else:
                    heapq.heappop(heads)
                    blocked = self._lag(place) != 0

    def _group_of(self, place: TopicPartition) -> int:
        return 0 if self._together else place.partition

    def _head(self, place: TopicPartition, buffer: deque[Record]) -> tuple[float, int, TopicPartition]:
        return buffer[0].timestamp, self._rank[place.topic], place
