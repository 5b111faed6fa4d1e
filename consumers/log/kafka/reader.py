"""Reading a Kafka log without a group, positioned by hand: committed records only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import Restart
from ..base import Record, TopicPartition
from .clients import make_reader
from .corruption import poll
from .topic_names import Names


class KafkaReader:
    """One consumer for one purpose, so that following, scanning and re-reading do not disturb each other.

    Transaction markers take up offsets and are never returned, so the end of a partition is reached when the
    consumer's position is there, not when a record is.

    Args:
        connection: How it reaches the brokers (`clients.connection`).
        names: Puts the prefix before topic names.
        wait_ms: How long the broker may delay its answer at the end of a partition, in milliseconds, 0 or more.
    """

    def __init__(self, connection: dict[str, Any], names: Names, wait_ms: int = 1) -> None:
        self._connection = connection
        self._names = names
        self.consumer = make_reader(connection, wait_ms)
        self._expected: dict[TopicPartition, int] = {}

    def follow(self, next_offsets: Mapping[TopicPartition, int], limit: int, timeout_s: float) -> list[Record]:
        """The next records of some partitions, as `Log.read`; a caller that continues where it stopped costs no seek.

        Args:
            next_offsets: The partitions, each with the offset to read next, 0 or more.
            limit: Most records in all, 1 or more.
            timeout_s: Longest wait for the first one, in seconds, 0 or more.

        Raises:
            Restart: A partition has become shorter.
        """
        if set(next_offsets) != set(self._expected):
            self.consumer.assign([self._names.partition(place) for place in next_offsets])
            self._expected = {}
        for place, next_offset in next_offsets.items():
            if self._expected.get(place) != next_offset:
                self.consumer.seek(self._names.partition(place), next_offset)
                self._expected[place] = next_offset
        records = self._poll(limit, timeout_s)
        for record in records:
            # The client goes back by itself in a partition that is shorter than where it was to read.
            if record.offset < self._expected[record.place]:
                raise began_anew(record.place, record.offset, self._expected.pop(record.place))
            self._expected[record.place] = record.offset + 1
        return records

    def scan(self, place: TopicPartition, next_offset: int, end: int) -> Iterator[Record]:
        """Every record of a partition between two offsets.

        Args:
            place: The partition.
            next_offset: The first offset, 0 or more.
            end: The offset after the last one, at most the partition's end: else the records to come are waited for.
        """
        partition = self._names.partition(place)
        self.consumer.assign([partition])
        self.consumer.seek(partition, next_offset)
        while self.consumer.position(partition) < end:
            for record in self._poll(1000, 1.0):
                if record.offset < end:
                    yield record

    def read_at(self, place: TopicPartition, offset: int) -> Record | None:
        """The record at an offset, or None where there is none.

        Args:
            place: The partition.
            offset: From 0, below the partition's end: else the records to come are waited for.
        """
        partition = self._names.partition(place)
        if self.consumer.assignment() != {partition}:
            self.consumer.assign([partition])
        self.consumer.seek(partition, offset)
        while self.consumer.position(partition) <= offset:
            records = self._poll(1, 1.0)
            if records:
                return records[0] if records[0].offset == offset else None
        return None

    def close(self) -> None:
        """Close the connections."""
        self.consumer.close()

    def _poll(self, limit: int, timeout_s: float) -> list[Record]:
        polled = poll(self.consumer, self._connection, timeout_s, limit)
        return [self._names.record(message) for messages in polled.values() for message in messages]


def began_anew(place: TopicPartition, offset: int, next_offset: int) -> Restart:
    """The error of who has read up to `next_offset` of a partition that is at `offset` now."""
    return Restart(
        f"{place} is at {offset}, and was read up to {next_offset}: the topic was deleted and created again, or lost "
        "records"
    )
