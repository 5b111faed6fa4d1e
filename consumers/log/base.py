"""The record log: what every implementation promises.

A log is a set of topics; a topic is partitions; a partition is a sequence of records numbered by offset.
`next_offset` is always the offset to read next, which is also what is committed. Offsets grow but need not be
dense (Kafka spends some on transaction markers). Readers see committed records only.

    Log.append      feeds and label buttons: durable when it returns
    Log.read        monitors, replicas, verify: any record, no group
    Log.join_group  workers: a member of a group, with atomic consume-process-produce commits
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class TopicPartition(NamedTuple):
    """A partition of a topic; prints as ``emails[0]``."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}[{self.partition}]"


class Record(NamedTuple):
    """One record as read; a `value` of None is a tombstone.

    `timestamp` is in seconds since 1970: the time that its producer gave, else that of its append.
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
        """Where the record is, as errors name it: ``topic[partition]@offset``."""
        return f"{self.topic}[{self.partition}]@{self.offset}"


class ProducerRecord(NamedTuple):
    """One record to append; without a `partition` the key chooses it (the same key, the same partition).

    `timestamp` is its time in seconds since 1970, kept to the millisecond; None means now.
    """

    topic: str
    key: bytes | None
    value: bytes | None
    partition: int | None = None
    timestamp: float | None = None


class TopicSpec(NamedTuple):
    """How a topic is kept: all `co_partitioned` ones have the same number of partitions, the others one; a `compacted`
    one keeps the newest record of each key, the others keep records for the retention time."""

    name: str
    co_partitioned: bool
    compacted: bool


class Log(ABC):
    """A record log, opened by one thread of one process: it is not thread safe.

    Methods raise LogUnavailable when the log cannot be reached, LogDamaged when files of it are damaged, MissingRight
    when the broker refuses a right, and UnknownTopic for a topic that does not exist.
    """

    @abstractmethod
    def create_topics(self, specs: Sequence[TopicSpec], partitions: int) -> list[str]:
        """Create the topics that are missing; returns their names.

        Args:
            specs: All topics that are needed.
            partitions: How many the co-partitioned ones get, 1 or more; SQLite has one whatever is asked.

        Raises:
            TopicMismatch: An existing topic is kept otherwise.
        """

    @abstractmethod
    def partitions(self, topic: str) -> int:
        """Number of partitions of `topic`, 1 or more."""

    @abstractmethod
    def start_offset(self, place: TopicPartition) -> int:
        """Offset of the oldest record still kept (or end_offset when there is none)."""

    @abstractmethod
    def end_offset(self, place: TopicPartition) -> int:
        """The next_offset of a reader who has read everything committed so far."""

    def has_open_transaction(self, place: TopicPartition) -> bool:
        """Whether records of a partition are behind a transaction that has not ended; none is if commits are whole."""
        return False

    @abstractmethod
    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        """The next committed records of some partitions, in offset order within each; empty when none came.

        Args:
            next_offsets: The partitions, each with the offset to read next, 0 or more; one below start_offset reads
                from the oldest record.
            limit: Most records in all, 1 or more; fewer come where they are large (`read_size.py`).
            timeout_s: Longest wait for the first one, in seconds, 0 or more.

        Raises:
            Restart: Sooner or later, for a partition that ends before its offset: its topic was created anew.
        """

    def scan(self, place: TopicPartition, next_offset: int = 0) -> Iterator[Record]:
        """Every committed record of a partition to its end as of now, in offset order.

        Args:
            place: The partition.
            next_offset: The first offset, 0 or more; one below start_offset reads from the oldest record.
        """
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
        """The record at exactly `offset` (0 or more); None when it is not (or no longer) there, nor its partition."""

    @abstractmethod
    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Append `records`, those of a partition in their order; when it returns, all of them survive a crash.

        After an error the caller may repeat the call, at the price of duplicates, which readers know by the message id.
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
            group: Its name; its members share the partitions and the committed positions.
            topics: What all its members read: one or more co-partitioned topics.
            member: A stable name (machine and process slot): whoever joins with the same name takes over at once from
                its dead predecessor and fences it.
            output: A topic that its commits append to; None for those of the stage that is next after `topics`.
            wait_bytes: For so many bytes a broker may keep records back for 0.1 s, since each answer has its price.
            single_active: One member holds all partitions, and the others wait to take over; the same for all of them.

        Raises:
            UserError: The group has a member that lives, and the log takes one only.
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

    Methods raise Restart when it is in doubt what is committed (fenced, generation lost, a commit without an answer):
    drop all state and start again from the log. They raise MissingRight when the broker refuses a right.
    """

    def __init__(self) -> None:
        self._assignment: frozenset[TopicPartition] = frozenset()
        self._generation = 0

    @abstractmethod
    def poll(self, limit: int = 1000, timeout_s: float = 0.5) -> list[Record]:
        """The next records of the assigned partitions, in offset order within each; positions move past them.

        The assignment changes only inside this call; when it has, `generation` has grown and no records come back.

        Args:
            limit: Most records in all, 1 or more; fewer come where they are large (`read_size.py`).
            timeout_s: Longest wait for the first one, in seconds, 0 or more.
        """

    @property
    def generation(self) -> int:
        """Number of assignments so far. When it grows, the positions are the committed ones again, even where the
        partitions are the same: records polled before and not committed come once more."""
        return self._generation

    @property
    def assignment(self) -> frozenset[TopicPartition]:
        """Partitions held now; empty until the group has answered."""
        return self._assignment

    @abstractmethod
    def lag(self, place: TopicPartition) -> int | None:
        """Offsets between the reading position of an assigned partition and its end as of the last fetch.

        None while no answer has come yet. Costs no round trip.
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
            outputs: The records that the work gave; there may be none.
            next_offsets: Of assigned partitions, the offset after the last record that is done.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop consuming; closing twice is allowed."""
