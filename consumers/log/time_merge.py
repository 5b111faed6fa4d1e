"""Put the records of several partitions into one order of time.

A worker that starts with a backlog of mails and labels must act on them as they happened: score a mail, learn its
label, score the next. Records of the same partition of several topics are therefore merged by timestamp, and a record
waits while the next record of another topic is not known yet: it might be older. At the same timestamp the mail goes
first, since a label cannot be older than its mail. Kafka Streams orders its input in the same way ("stream time").
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from .base import Record, TopicPartition


class TimeMerge:
    """Buffers records and returns them in the order of their timestamps.

    Records of one partition always keep the order of the log, even where their timestamps go back.

    Args:
        topics: All topics that records are of, in the order of records with the same timestamp.
        lag: Gives how many offsets of a partition are still to be polled, 0 or more; None where that is not known.
    """

    def __init__(self, topics: tuple[str, ...], lag: Callable[[TopicPartition], int | None]) -> None:
        self._rank = {topic: rank for rank, topic in enumerate(topics)}
        self._lag = lag
        self._buffers: dict[int, dict[str, deque[tuple[float, Record]]]] = {}
        self._latest: dict[int, dict[str, float]] = {}

    def assign(self, assignment: Iterable[TopicPartition]) -> None:
        """Drop all that is buffered and expect records of these partitions."""
        self._buffers = {}
        self._latest = {}
        for topic, partition in assignment:
            self._buffers.setdefault(partition, {})[topic] = deque()
            self._latest.setdefault(partition, {})[topic] = -math.inf

    def add(self, records: Iterable[Record]) -> None:
        """Buffer `records`, of assigned partitions, in the order in which they were polled."""
        for record in records:
            topic, partition, _, _, _, timestamp = record
            latest = self._latest[partition]
            if timestamp < latest[topic]:
                timestamp = latest[topic]
            latest[topic] = timestamp
            self._buffers[partition][topic].append((timestamp, record))

    @property
    def waiting(self) -> int:
        """Number of records in the buffers."""
        return sum(len(buffer) for topics in self._buffers.values() for buffer in topics.values())

    def waiting_in(self, place: TopicPartition) -> int:
        """Number of records of one partition in the buffers."""
        return len(self._buffers[place.partition][place.topic])

    def rotate(self) -> None:
        """Let the partition whose turn was first be last from now on: one with much to do must not keep others out."""
        first = next(iter(self._buffers), None)
        if first is not None:
            self._buffers[first] = self._buffers.pop(first)

    def ready(self) -> Iterator[Record]:
        """The records whose turn has come, partition by partition."""
        for partition, topics in self._buffers.items():
            heads = [(buffer[0][0], self._rank[topic], topic) for topic, buffer in topics.items() if buffer]
            heapq.heapify(heads)
            # A topic read to its end cannot hold the others back; one that is not must have shown its next record.
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
