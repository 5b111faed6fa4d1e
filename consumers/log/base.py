"""The record log: the contract of every implementation.

A log is a set of topics, a topic a set of partitions, and a partition a sequence of records numbered by offset.
`next_offset` is always the offset to read next, which is also what is committed. Offsets increase but may have gaps
(Kafka uses some for transaction markers). Readers see committed records only.

    Log.append      for feeds and label buttons: durable when it returns
    Log.read        for monitors, replicas, verify: any record, without a group
    Log.join_group  for stages: a member of a group, with atomic consume-process-produce commits
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple


class TopicPartition(NamedTuple):
    """A partition of a topic; prints as ``emails[0]``."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}[{self.partition}]"


class Record(NamedTuple):
    """One record as read; a `value` of None is a tombstone.

    `timestamp` is in seconds since 1970: the time that its producer set, else the time of the append.
    """

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    timestamp: float

    @property
    def place(self) -> TopicPartition:
        """The partition that holds the record."""
        return TopicPartition(self.topic, self.partition)

    @property
    def location(self) -> str:
        """The record's place as errors print it: ``topic[partition]@offset``."""
        return f"{self.topic}[{self.partition}]@{self.offset}"


class ProducerRecord(NamedTuple):
    """One record to append; without a `partition` the key determines it (equal keys go to the same partition).

    `timestamp` is in seconds since 1970, stored to the millisecond; None means now.
    """

    topic: str
    key: bytes | None
    value: bytes | None
    partition: int | None = None
    timestamp: float | None = None


class TopicSpec(NamedTuple):
    """How a topic is kept. All `co_partitioned` topics have the same number of partitions, the others have one.
    `compacted` topics keep the newest record of each key, the others keep records for the retention time."""

    name: str
    co_partitioned: bool
    compacted: bool


class Log(ABC):
    """A record log, opened by one thread of one process: it is not thread-safe.

    Methods raise LogUnavailable when the log cannot be reached, LogDamaged when one of its files is damaged,
    MissingRight when the broker denies a right, and UnknownTopic for a topic that does not exist.
    """

    @abstractmethod
    def create_topics(self, specs: Sequence[TopicSpec], partitions: int) -> list[str]:
        """Create the topics that are missing; returns their names, on Kafka with the prefix.

        Args:
            specs: All topics that are needed.
            partitions: Partitions of each co-partitioned topic, 1 or more; SQLite ignores it and makes one.

        Raises:
            TopicMismatch: An existing topic has other settings.
        """

    @abstractmethod
    def partitions(self, topic: str) -> int:
        """The number of partitions of `topic`, 1 or more."""

    def places(self, *topics: str) -> list[TopicPartition]:
        """All partitions of `topics`, in order."""
        return [TopicPartition(topic, number) for topic in topics for number in range(self.partitions(topic))]

    @abstractmethod
    def start_offset(self, place: TopicPartition) -> int:
        """The offset of the oldest record still kept; `end_offset` when there is none."""

    @abstractmethod
    def end_offset(self, place: TopicPartition) -> int:
        """The offset after the last committed record: the next_offset of a reader who has read everything."""

    def written_ends(self, places: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
        """The offset after the last record of each partition, whether its transaction has ended or not."""
        return {place: self.end_offset(place) for place in places}

    @abstractmethod
    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        """Read the next committed records of some partitions, in offset order within each; may return none.

        Args:
            next_offsets: The partitions, each with the offset to read next, 0 or more; an offset below start_offset
                reads from the oldest record.
            limit: Most records in all, 1 or more; fewer large ones are returned (`read_size.py`).
            timeout_s: Longest wait for the first record, in seconds, 0 or more.

        Raises:
            Restart: Sooner or later, for a partition that ends before its offset: its topic was recreated.
        """

    def scan(self, place: TopicPartition, next_offset: int = 0) -> Iterator[Record]:
        """Yield the committed records of a partition from `next_offset` on, in offset order, up to its end at the time
        of the call. An offset below start_offset, even below 0, reads from the oldest record."""
        end = self.end_offset(place)
        next_offset = max(next_offset, self.start_offset(place))
        while next_offset < end:
            records = self.read({place: next_offset})
            if not records:
                return
            yield from records
            next_offset = records[-1].offset + 1

    @abstractmethod
    def read_at(self, place: TopicPartition, offset: int) -> Record | None:
        """The record at exactly `offset` (0 or more); None when there is no such record or partition (any more)."""

    @abstractmethod
    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Append `records`, in order within each partition; once it returns, all of them survive a crash.

        After an error the caller may retry. This may append duplicates, which readers recognise by the message id.
        """

    @abstractmethod
    def join_group(
        self,
        group: str,
        topics: Sequence[str],
        member: str,
        output: str | None = None,
        wait_bytes: int = 1,
        single_active: bool = False,
    ) -> GroupConsumer:
        """Become a member of a consumer group.

        Args:
            group: The group's name; its members share the partitions and the committed positions.
            topics: The topics that all its members read: one or more, co-partitioned.
            member: A stable name (machine and process slot): a process that joins under the name of a dead member
                takes over from it at once, and fences it.
            output: A topic that the commits append to; None for the output topics of the stage that reads `topics`.
            wait_bytes: The broker may delay an answer by 0.1 s to collect so many bytes (1 or more): answers cost CPU.
            single_active: One member gets all partitions, and the others stand by to take over. All members of a group
                must pass the same value.

        Raises:
            UserError: The group already has a live member, and this log allows one only.
            Restart: The predecessor could not be fenced.
        """

    @abstractmethod
    def close(self) -> None:
        """Close files and connections; closing twice is allowed."""

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class GroupConsumer(ABC):
    """A member of a consumer group: poll, work, then one atomic commit of outputs and positions.

    Methods raise Restart when it is unknown what is committed (fenced, generation lost, a commit without an answer):
    drop all state and start again; MissingRight when the broker denies a right; LogDamaged when a topic was recreated.
    """

    def __init__(self) -> None:
        self._assignment: frozenset[TopicPartition] = frozenset()
        self._generation = 0

    @abstractmethod
    def poll(self, limit: int = 1000, timeout_s: float = 0.5, paused: Collection[TopicPartition] = ()) -> list[Record]:
        """Return the next records of the assigned partitions, in offset order within each; positions move past them.

        The assignment changes only inside this call; it then increases `generation` and returns no records.

        Args:
            limit: Most records in all, 1 or more; fewer large ones are returned (`read_size.py`).
            timeout_s: Longest wait for the first record, in seconds, 0 or more.
            paused: Assigned partitions that this poll leaves out.
        """

    @property
    def generation(self) -> int:
        """The number of assignments so far. Each one resets the positions to the committed ones, even if the partitions
        are the same: records that were polled and not committed are returned again."""
        return self._generation

    @property
    def assignment(self) -> frozenset[TopicPartition]:
        """The partitions assigned now; empty until the group has answered."""
        return self._assignment

    @abstractmethod
    def lag(self, place: TopicPartition) -> int:
        """The number of offsets from the reading position of an assigned partition to its end as of the last fetch, or
        of the assignment before it. Needs a round trip only for a paused partition that seems to have been read.
        """

    @abstractmethod
    def committed(self, place: TopicPartition) -> int:
        """The group's committed next_offset of an assigned partition; its start_offset when there is none yet."""

    @abstractmethod
    def seek(self, place: TopicPartition, next_offset: int) -> None:
        """Move the reading position of an assigned partition to `next_offset`, 0 or more."""

    @abstractmethod
    def commit(self, outputs: Sequence[ProducerRecord], next_offsets: Mapping[TopicPartition, int]) -> None:
        """Append outputs and commit positions, both or neither; raises Restart when that is not certain.

        Args:
            outputs: The records that the work produced; may be empty.
            next_offsets: For assigned partitions, the offset after the last record processed.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop consuming; closing twice is allowed."""
