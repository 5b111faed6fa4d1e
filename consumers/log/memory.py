"""A log in memory: the smallest implementation of `consumers.log.base`, for tests in one process.

Several `MemoryLog` objects over one `Topics` see each other's records, like processes on one log.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from threading import Condition

from ..errors import Restart, TopicMismatch, UnknownTopic
from .base import GroupConsumer, Log, ProducerRecord, Record, TopicPartition, TopicSpec
from .read_size import until_large


class Topics:
    """The records of a log, shared by all its `MemoryLog` objects; `clock` dates records without a timestamp."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.changed = Condition()
        self.specs: dict[str, tuple[TopicSpec, int]] = {}
        self.records: dict[TopicPartition, list[Record]] = {}
        self.committed: dict[tuple[str, TopicPartition], int] = {}
        self.owners: dict[str, MemoryGroupConsumer] = {}

    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Append records; the caller must hold the lock `changed`."""
        for record in records:
            count = self.count(record.topic)
            partition = zlib.crc32(record.key or b"") % count if record.partition is None else record.partition
            kept = self.records[TopicPartition(record.topic, partition)]
            timestamp = self._clock() if record.timestamp is None else record.timestamp
            kept.append(Record(record.topic, partition, len(kept), record.key, record.value, round(timestamp, 3)))
        self.changed.notify_all()

    def count(self, topic: str) -> int:
        """The number of partitions of `topic`; raises UnknownTopic."""
        if topic not in self.specs:
            raise UnknownTopic(f"topic {topic!r} is not on this log")
        return self.specs[topic][1]


class MemoryLog(Log):
    """A handle of the log with these records, which other handles share; for None of a new, empty log."""

    def __init__(self, topics: Topics | None = None) -> None:
        self.topics = Topics() if topics is None else topics

    def create_topics(self, specs: Sequence[TopicSpec], partitions: int) -> list[str]:
        created: list[str] = []
        with self.topics.changed:
            for spec in specs:
                wanted = (spec, partitions if spec.co_partitioned else 1)
                if self.topics.specs.setdefault(spec.name, wanted) != wanted:
                    raise TopicMismatch(f"topic {spec.name!r} is kept as {self.topics.specs[spec.name]}, not {wanted}")
                for number in range(wanted[1]):
                    place = TopicPartition(spec.name, number)
                    if place not in self.topics.records:
                        self.topics.records[place] = []
                        created.append(spec.name)
        return sorted(set(created))

    def partitions(self, topic: str) -> int:
        return self.topics.count(topic)

    def start_offset(self, place: TopicPartition) -> int:
        return 0

    def end_offset(self, place: TopicPartition) -> int:
        return len(self._kept(place))

    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        def available() -> list[Record]:
            found = [record for place, start in next_offsets.items() for record in self._kept(place)[start:]]
            return until_large(found[:limit])

        with self.topics.changed:
            self.topics.changed.wait_for(available, timeout_s)
            return available()

    def read_at(self, place: TopicPartition, offset: int) -> Record | None:
        kept = self._kept(place) if place.partition < self.partitions(place.topic) else []
        return kept[offset] if 0 <= offset < len(kept) else None

    def append(self, records: Sequence[ProducerRecord]) -> None:
        with self.topics.changed:
            self.topics.append(records)

    def join_group(
        self,
        group: str,
        topics: Sequence[str],
        member: str,
        output: str | None = None,
        wait_bytes: int = 1,
        single_active: bool = False,
    ) -> MemoryGroupConsumer:
        return MemoryGroupConsumer(self, group, frozenset(self.places(*topics)))

    def close(self) -> None:
        pass

    def _kept(self, place: TopicPartition) -> list[Record]:
        self.topics.count(place.topic)
        return self.topics.records[place]


class MemoryGroupConsumer(GroupConsumer):
    """The only consumer of its `group`: the one that joins last gets all partitions (`places`) and fences its
    predecessor."""

    def __init__(self, log: MemoryLog, group: str, places: frozenset[TopicPartition]) -> None:
        super().__init__()
        self._log = log
        self._group = group
        self._places = places
        self._next: dict[TopicPartition, int] = {}
        log.topics.owners[group] = self

    def poll(self, limit: int = 1000, timeout_s: float = 0.5, paused: Collection[TopicPartition] = ()) -> list[Record]:
        self._check()
        if not self._assignment:
            self._assignment = self._places
            self._generation += 1
            self._next = {place: self.committed(place) for place in sorted(self._places)}
            return []
        polled = {place: start for place, start in self._next.items() if place not in paused}
        records = self._log.read(polled, limit, timeout_s)
        for record in records:
            self._next[record.place] = record.offset + 1
        return records

    def reassign(self) -> None:
        """Make the next poll assign the same partitions again, as Kafka may when members join or leave."""
        self._assignment = frozenset()

    def lag(self, place: TopicPartition) -> int:
        return self._log.end_offset(place) - self._next[place]

    def committed(self, place: TopicPartition) -> int:
        return self._log.topics.committed.get((self._group, place), 0)

    def seek(self, place: TopicPartition, next_offset: int) -> None:
        self._next[place] = next_offset

    def commit(self, outputs: Sequence[ProducerRecord], next_offsets: Mapping[TopicPartition, int]) -> None:
        with self._log.topics.changed:
            self._check()
            self._log.topics.append(outputs)
            self._log.topics.committed |= {(self._group, place): offset for place, offset in next_offsets.items()}

    def close(self) -> None:
        pass

    def _check(self) -> None:
        if self._log.topics.owners[self._group] is not self:
            raise Restart(f"group {self._group!r}: another member has taken over")
