"""The record log: what every implementation promises.

A log is a set of topics; a topic is partitions; a partition is a sequence of records numbered by offset.
`next_offset` is always the offset to read next, which is also what is committed. Offsets grow but need not be
dense (Kafka spends some on transaction markers). Readers see committed records only.

    Log.append      feeds and label buttons: durable when it returns
    Log.read        monitors, replicas, verify: any record, no group
    Log.join_group   workers: a member of a group, with atomic consume-process-produce commits
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class TopicPartition(NamedTuple):
    """A place records are kept; prints as ``emails[0]``."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}[{self.partition}]"


class Record(NamedTuple):
    """One record as read; `timestamp` is when it was appended, in seconds since 1970; `value` None is a tombstone."""

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
        """Where the record stands, as errors name it: ``topic[partition]@offset``."""
        return f"{self.topic}[{self.partition}]@{self.offset}"


class ProducerRecord(NamedTuple):
    """One record to append; without a `partition` the key chooses it (the same key, the same partition).

    `timestamp` is its time in seconds since 1970, kept to the millisecond; None says now.
    """

    topic: str
    key: bytes | None
    value: bytes | None
    partition: int | None = None
    timestamp: float | None = None


class TopicSpec(NamedTuple):
    """How a topic is kept. `co_partitioned` topics all have the log's partition count, the others one."""

    name: str
    co_partitioned: bool
    compacted: bool


class Log(ABC):
    """A record log, opened for one process. Not thread safe: one thread, one Log."""

    @abstractmethod
    def create_topics(self, specs: Sequence[TopicSpec], partitions: int) -> list[str]:
        """Create the topics that are missing and return their names; raise TopicMismatch where one differs."""

    @abstractmethod
    def partitions(self, topic: str) -> int:
        """Number of partitions of a topic; raises UnknownTopic."""

    @abstractmethod
    def start_offset(self, place: TopicPartition) -> int:
        """Offset of the oldest record still kept (or end_offset when there is none)."""

    @abstractmethod
    def end_offset(self, place: TopicPartition) -> int:
        """The next_offset of a reader who has read everything committed so far."""

    @abstractmethod
    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        """Up to `limit` committed records at or after the given offsets, in offset order within a partition.

        Waits up to `timeout_s` seconds for the first one; an empty list says none came.
        """

    def scan(self, place: TopicPartition, next_offset: int = 0) -> Iterator[Record]:
        """Every committed record from `next_offset` (or the oldest kept) to the end as of now, in offset order."""
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
        """The record at exactly this offset, or None when it is no longer (or not yet) kept."""

    @abstractmethod
    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Append records; when it returns they survive a crash. All or an error; a failed call may be repeated
        by the caller at the price of duplicates, which readers meet by message id."""

    @abstractmethod
    def join_group(self, group: str, topics: Sequence[str], member: str) -> GroupConsumer:
        """Become a member of a consumer group over co-partitioned topics.

        `member` is a stable name (host and process slot): the same name again takes over at once from its dead
        predecessor and fences it.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections; closing twice is allowed."""

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class GroupConsumer(ABC):
    """A seat in a consumer group: poll, work, then one atomic commit of outputs and positions.

    Any doubt (fenced, generation lost, commit not certain) raises Restart: drop all state and start from the log.
    """

    @abstractmethod
    def poll(self, limit: int = 1000, timeout_s: float = 0.5) -> list[Record]:
        """The next records of the assigned partitions, in offset order within each; positions move past them.

        An empty list says none came in `timeout_s`. The assignment may change only inside this call; when it
        has changed, `generation` has grown and the call returns no records, so that the caller can look first.
        """

    @property
    def generation(self) -> int:
        """Counts the assignments. When it grows, positions are the committed ones again, even where the partitions are
        the same; records polled before and not committed will come once more."""
        return 1 if self.assignment else 0

    @property
    @abstractmethod
    def assignment(self) -> frozenset[TopicPartition]:
        """Partitions held now; empty until the group has answered."""

    @abstractmethod
    def lag(self, place: TopicPartition) -> int | None:
        """Offsets between the reading position of an assigned partition and its last known end; None when no answer
        has come yet. Costs no round trip: what is known from the last fetch is enough."""

    @abstractmethod
    def committed(self, place: TopicPartition) -> int:
        """The group's committed next_offset of an assigned partition; its start_offset when there is none yet."""

    @abstractmethod
    def seek(self, place: TopicPartition, next_offset: int) -> None:
        """Move the reading position of an assigned partition."""

    @abstractmethod
    def commit(self, outputs: Sequence[ProducerRecord], next_offsets: Mapping[TopicPartition, int]) -> None:
        """Append `outputs` and commit `next_offsets`, both or neither; raises Restart when it cannot be sure."""

    @abstractmethod
    def close(self) -> None:
        """Give the seat back (a member that will return keeps its name)."""
