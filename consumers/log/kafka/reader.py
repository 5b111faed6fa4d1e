"""Reads a Kafka log without a group, at explicit positions: committed records only."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping

from ..base import Record, TopicPartition
from ..ends import partition_shrank
from .clients import FETCH_BYTES, find_position, make_reader
from .connection import Connection
from .polling import poll_many
from .topic_names import TopicNames

READ_AHEAD = 100
"""Up to this many records are read and skipped rather than seeked past."""
QUIET_S = 90.0
"""How long a scan waits for records until it checks whether they still exist. A frozen broker is replaced in half this
time, and a slow link needs two thirds of it for its first answer."""
TELL_S = 10.0
"""How long a scan waits for records until a line says so, for people who would think that the command hangs."""
WAITING = "%s has sent nothing for %g s; still waiting for %s[%d]@%d; are the brokers up?"
FIND_S = 0.2
"""How often the search for a single record checks whether the record can exist."""

logger = logging.getLogger(__name__)


class KafkaReader:
    """One consumer for one purpose, so that following, scanning and re-reading do not disturb each other.

    Transaction markers use offsets and are never returned, so the consumer's position decides whether the end of a
    partition is reached, not the offset of the last record.

    Args:
        wait_ms: How long the broker may delay its answer at the end of a partition, in milliseconds, 0 or more.
        fetch_bytes: Approximate size of one fetch, 1 or more; a larger record is returned all the same.
    """

    def __init__(
        self, connection: Connection, names: TopicNames, wait_ms: int = 1, fetch_bytes: int = FETCH_BYTES
    ) -> None:
        self._connection = connection
        self._names = names
        self.consumer = make_reader(connection, wait_ms, fetch_bytes)
        self._expected: dict[TopicPartition, int] = {}
        self._starts: dict[TopicPartition, int] = {}
        self._ends: dict[TopicPartition, int] = {}

    def follow(self, next_offsets: Mapping[TopicPartition, int], limit: int, timeout_s: float) -> list[Record]:
        """Like `Log.read` (same `next_offsets`, `limit` and `timeout_s`); raises Restart if a partition has become
        shorter. A call that continues where the last one stopped needs no seek."""
        if set(next_offsets) != set(self._expected):
            self.consumer.assign([self._names.partition(place) for place in next_offsets])
            self._expected = {}
        for place, next_offset in next_offsets.items():
            if self._expected.get(place) != next_offset:
                self.consumer.seek(self._names.partition(place), next_offset)
                self._expected[place] = next_offset
        records = self._poll(limit, timeout_s)
        for record in records:
            # If the partition ends before the position, the client resets the position by itself.
            if record.offset < self._expected[record.place]:
                raise partition_shrank(record.place, record.offset, self._expected.pop(record.place))
            self._expected[record.place] = record.offset + 1
        return records

    def scan(self, place: TopicPartition, next_offset: int, end: int) -> Iterator[Record]:
        """Yield the records of a partition from `next_offset` (0 or more) to before `end`; raises Restart if the
        partition has become shorter."""
        partition = self._names.partition(place)
        self.consumer.assign([partition])
        self.consumer.seek(partition, next_offset)
        quiet_since, told = time.monotonic(), False
        while find_position(self.consumer, partition) < end:
            records = self._poll(1000, 1.0)
            if not (records or told) and time.monotonic() >= quiet_since + TELL_S:
                logger.warning(WAITING, self._connection.where, TELL_S, partition.topic, place.partition, next_offset)
                told = True
            if records or time.monotonic() >= quiet_since + QUIET_S:
                if not records and (found := self._find_end(place)) < end:
                    raise partition_shrank(place, found, end)
                quiet_since, told = time.monotonic(), False
            for record in records:
                if record.offset < next_offset:
                    raise partition_shrank(place, record.offset, next_offset)
                next_offset = record.offset + 1
                if record.offset < end:
                    yield record

    def read_at(self, place: TopicPartition, offset: int) -> Record | None:
        """The record at an `offset` (0 or more); None if it is not kept any more, or not written yet.

        A record shortly after the last one read has usually been fetched with that.
        """
        partition = self._names.partition(place)
        if offset < self._starts.get(place, 0) and offset < self._find_start(place):
            return None
        if offset >= self._ends.get(place, 0) and offset >= self._find_end(place):
            return None
        if self.consumer.assignment() != {partition}:
            self.consumer.assign([partition])
            self.consumer.seek(partition, offset)
        if not 0 <= offset - find_position(self.consumer, partition) < READ_AHEAD:
            self.consumer.seek(partition, offset)
        first = find_position(self.consumer, partition)
        while first <= (position := find_position(self.consumer, partition)) <= offset:
            records = self._poll(offset - position + 1, FIND_S)
            for record in records:
                if record.offset == offset:
                    return record
            if not records and offset >= self._find_end(place):
                return None  # the topic was deleted and recreated
        # If the partition begins after the offset, the client continues at its start by itself.
        self._find_start(place)
        return None

    def close(self) -> None:
        """Close the connections."""
        self.consumer.close()

    def _find_start(self, place: TopicPartition) -> int:
        partition = self._names.partition(place)
        self._starts[place] = self.consumer.beginning_offsets([partition])[partition]
        return self._starts[place]

    def _find_end(self, place: TopicPartition) -> int:
        partition = self._names.partition(place)
        self._ends[place] = self.consumer.end_offsets([partition])[partition]
        return self._ends[place]

    def _poll(self, limit: int, timeout_s: float) -> list[Record]:
        polled = poll_many(self.consumer, self._connection, timeout_s, limit)
        return [self._names.record(message) for messages in polled.values() for message in messages]
