"""Merge the records of co-partitioned topics by timestamp.

A worker that starts with a backlog of mails and labels must process them in the order in which they happened: score a
mail, learn its label, score the next. So records of the same partition of several topics are merged by timestamp, and a
record waits while the next record of another topic is unknown, because that might be older. At equal timestamps the
mail comes first, because a label cannot be older than its mail. Kafka Streams orders its input in the same way
("stream time").
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from .base import Record, TopicPartition


class TimeMerge:
    """Buffers records and returns them in timestamp order.

    Records of one topic and partition always keep the order of the log, even if their timestamps decrease.

    Args:
        topics: All topics of the records; records with equal timestamps are ordered by their topic's rank here.
        lag: Returns how many offsets of a partition are still to be polled, 0 or more; None when unknown.
    """

    def __init__(self, topics: tuple[str, ...], lag: Callable[[TopicPartition], int | None]) -> None:
        self._rank = {topic: rank for rank, topic in enumerate(topics)}
        self._lag = lag
        self._buffers: dict[int, dict[str, deque[tuple[float, Record]]]] = {}
        self._latest: dict[int, dict[str, float]] = {}

    def assign(self, assignment: Iterable[TopicPartition]) -> None:
        """Clear the buffers and expect records of these partitions."""
        self._buffers = {}
        self._latest = {}
        for topic, partition in assignment:
            self._buffers.setdefault(partition, {})[topic] = deque()
            self._latest.setdefault(partition, {})[topic] = -math.inf

    def add(self, records: Iterable[Record]) -> None:
        """Buffer `records` of assigned partitions, in the order in which they were polled."""
        for record in records:
            topic, partition, _, _, _, timestamp = record
            latest = self._latest[partition]
            if timestamp < latest[topic]:
                timestamp = latest[topic]
            latest[topic] = timestamp
            self._buffers[partition][topic].append((timestamp, record))

    @property
    def waiting(self) -> int:
        """The number of buffered records."""
        return sum(len(buffer) for topics in self._buffers.values() for buffer in topics.values())

    def waiting_in(self, place: TopicPartition) -> int:
        """The number of buffered records of one partition."""
        return len(self._buffers[place.partition][place.topic])

    def rotate(self) -> None:
        """Move the first partition to the end, so that one with a long backlog does not starve the others."""
        first = next(iter(self._buffers), None)
        if first is not None:
            self._buffers[first] = self._buffers.pop(first)

    def ready(self) -> Iterator[Record]:
        """Yield the records that need not wait any longer, partition by partition."""
        for partition, topics in self._buffers.items():
            heads = [(buffer[0][0], self._rank[topic], topic) for topic, buffer in topics.items() if buffer]
            heapq.heapify(heads)
            # An empty buffer blocks the others unless its topic has been read to the end.
            if any(not buffer and self._lag(TopicPartition(topic, partition)) != 0 for topic, buffer in topics.items()):
                continue
            while heads:
                _, rank, topic = heads[0]
                buffer = topics[topic]
                yield buffer.popleft()[1]
                if buffer:
                    heapq.heapreplace(heads, (buffer[0][0], rank, topic))
                elif self._lag(TopicPartition(topic, partition)) == 0:
                    heapq.heappop(heads)
                else:
                    break
