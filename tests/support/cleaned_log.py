"""A log in memory that deletes records as a broker does: the oldest ones, and all but the newest with the same key."""

from __future__ import annotations

import random
from collections.abc import Callable

from consumers.log.base import TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.log.read_size import until_large
from tests.support.shared_log import SharedLog


class CleanedTopics(Topics):
    """Records that can be deleted; the offsets of the others remain."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self.starts: dict[TopicPartition, int] = {}
        self._deleted: set[tuple[TopicPartition, int]] = set()

    def delete_before(self, place: TopicPartition, offset: int) -> None:
        """Delete the records before `offset`, as when they are too old."""
        self.starts[place] = max(offset, self.starts.get(place, 0))

    def compact(self, place: TopicPartition, end: int, draw: random.Random) -> None:
        """Delete each record before offset `end` that has a later one there with its key, and any of the tombstones."""
        seen = set[bytes | None]()
        for record in self.records[place][:end][::-1]:
            if record.key in seen or (record.value is None and draw.random() < 0.5):
                self._deleted.add((place, record.offset))
            seen.add(record.key)

    def kept(self, place: TopicPartition, next_offset: int) -> list:
        """The records of a partition from `next_offset` on that have not been deleted."""
        records = self.records[place][max(next_offset, self.starts.get(place, 0)) :]
        return [record for record in records if (place, record.offset) not in self._deleted]


class CleanedLog(MemoryLog):
    """A handle of the log."""

    topics: CleanedTopics

    def start_offset(self, place):
        return self.topics.starts.get(place, 0)

    def read(self, next_offsets, limit=1000, timeout_s=0.0):
        found = [record for place, first in next_offsets.items() for record in self.topics.kept(place, first)]
        return until_large(found[:limit])

    def read_at(self, place, offset):
        found = self.topics.kept(place, offset)
        return found[0] if found and found[0].offset == offset else None


class CleanedSharedLog(CleanedLog, SharedLog):
    """A handle whose consumers get the partitions that the test assigns."""
