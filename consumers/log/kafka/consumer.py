"""A member of a Kafka consumer group, with exactly-once commits.

One commit is a transaction:
    1. begin, and send all outputs;
    2. flush, and check every acknowledgement: a batch that fails during the commit would be lost without an error
       (kafka-python 3.0: the producer bumps its epoch and reports success for an EndTxn that it never sent);
    3. send the positions with the group metadata of the poll that returned the records, so that the broker rejects
       them from a replaced member;
    4. commit, under a watchdog, because the call has no timeout.
There is no recovery within the process: after any error it starts again from the log, or ends if a right is missing.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from ...errors import ConsumerError, Restart
from ..base import GroupConsumer, ProducerRecord, Record, TopicPartition
from .client_types import GroupMetadata, Partition
from .clients import (
    AuthorizationError,
    KafkaError,
    abandon,
    find_position,
    make_member,
    make_position,
)
from .connection import Connection
from .fencing import COMMIT_S, take_over
from .hints import hint
from .joining import Assignments, poll_member
from .pausing import pause_only
from .rights import Rights, refusal
from .topic_ids import TopicIds
from .topic_names import TopicNames
from .watchdog import watchdog

FLUSH_S = 12.0
POSITION_MS = 60_000
"""Twice the time in which the library waits for one answer: over a slow link the first request for a position may wait
behind a fetch until both fail; the second finds smaller fetches (`slow_link`)."""
COUNTS_S = 20.0
"""How long the leader of the group may take to assign added partitions."""


class KafkaGroupConsumer(GroupConsumer):
    """A static member of a group; its transactional id is made of group and member, so a successor fences it.

    Args:
        group: The group's name, without the prefix.
        topics: The topics to read, without the prefix, with their versions (`topic_version`).
        member: A name that stays the same after a restart, and that no other live process has.
        wait_bytes: As for `Log.join_group`.
        single_active: As for `Log.join_group`.

    Raises:
        Restart: The predecessor cannot be fenced.
        MissingRight: This user may not write its transactions.
    """

    def __init__(
        self,
        connection: Connection,
        names: TopicNames,
        group: str,
        topics: Mapping[str, str],
        member: str,
        wait_bytes: int,
        single_active: bool,
    ) -> None:
        super().__init__()
        self._connection = connection
        self._names = names
        self._member = member
        versions = {names.topic(topic): version for topic, version in topics.items()}
        self._topics = [*versions]
        transactions = f"{names.topic(group)}-{member}"
        self._rights = Rights(connection, names.topic(group), transactions)
        try:
            self._producer = take_over(connection, transactions)
        except KafkaError as error:
            raise self._failed(f"init_transactions of {transactions}", error) from error
        try:
            self._consumer = make_member(connection, names.topic(group), member, versions, wait_bytes, single_active)
        except BaseException:
            abandon(self._producer)  # the caller has no reference to close it
            raise
        self._assignments = Assignments()
        self._consumer.subscribe(self._topics, listener=self._assignments)
        self._topic_ids = TopicIds(self._consumer, self._topics)
        self._metadata: GroupMetadata | None = None
        self._positions: dict[TopicPartition, int] = {}
        self._committed: dict[TopicPartition, int] = {}
        self._ends: dict[Partition, int] = {}
        """Where the assigned partitions ended when that was last asked for, at the assignment or later."""
        self._pausing = False
        self._outdated: set[TopicPartition] = set()
        """Partitions that were paused since their end was asked for: their last fetch may have been long ago."""
        self._counts: list[int] = []
        self._counts_since = 0.0

    def poll(self, limit: int = 1000, timeout_s: float = 0.5, paused: Collection[TopicPartition] = ()) -> list[Record]:
        try:
            if paused or self._pausing:
                pause_only(self._consumer, map(self._names.partition, paused))
                self._pausing = bool(paused)
                self._outdated.update(paused)
            polled = poll_member(self._consumer, self._connection, self._assignments, timeout_s, limit)
            self._topic_ids.check()
            # This metadata belongs to these records; the heartbeat thread may change it at any time.
            metadata = self._consumer.group_metadata()
            reassigned = self._assignments.changes != self._generation
            if reassigned or polled:
                if metadata.generation_id < 0 or not metadata.member_id:
                    raise Restart(f"records polled while not a member of the group: {metadata}")
                self._metadata = metadata
            if reassigned:
                return self._reassigned()
            self._check_counts()
        except (KafkaError, KeyError) as error:  # KeyError: an answer lacks a partition of a topic being deleted
            raise self._failed("poll", error) from error
        for partition, messages in polled.items():
            self._positions[self._names.place(partition)] = messages[-1].offset + 1
        return [self._names.record(message) for messages in polled.values() for message in messages]

    def lag(self, place: TopicPartition) -> int:
        partition = self._names.partition(place)
        end = max(self._ends[partition], self._consumer.highwater(partition) or 0)
        try:
            if self._positions.get(place, -1) < end:
                # Transaction markers may follow the last record; only the consumer's position includes them.
                self._positions[place] = find_position(self._consumer, partition, 5_000)
            if self._positions[place] >= end and place in self._outdated:
                self._ends |= self._consumer.end_offsets([partition], timeout_ms=POSITION_MS)
                self._outdated.discard(place)
                return self.lag(place)
        except (KafkaError, KeyError) as error:
            raise self._failed(f"position in {place}", error) from error
        return max(0, end - self._positions[place])

    def committed(self, place: TopicPartition) -> int:
        return self._committed[place]

    def seek(self, place: TopicPartition, next_offset: int) -> None:
        self._consumer.seek(self._names.partition(place), next_offset)
        self._positions[place] = next_offset

    def commit(self, outputs: Sequence[ProducerRecord], next_offsets: Mapping[TopicPartition, int]) -> None:
        revoked = set(next_offsets) - self._assignment
        if revoked:
            raise Restart(f"commit: {', '.join(map(str, sorted(revoked)))} is no longer assigned")
        offsets = {self._names.partition(place): make_position(offset) for place, offset in next_offsets.items()}
        try:
            with watchdog("a Kafka transaction", COMMIT_S):
                self._producer.begin_transaction()
                sent = [self._names.send(self._producer, record) for record in outputs]
                self._producer.flush(timeout=FLUSH_S)
                if (refused := refusal([future.exception for future in sent])) is not None:
                    raise refused
                for future in sent:
                    if not future.succeeded():
                        raise self._failed("an output was not acknowledged", future.exception)
                if offsets:
                    self._producer.send_offsets_to_transaction(offsets, self._metadata)
                self._producer.commit_transaction()
        except (Restart, KafkaError, RuntimeError, ValueError, AssertionError) as error:
            abandon(self._producer)
            topics = {self._names.topic(record.topic) for record in outputs}
            raise self._failed("commit", error, "Write", topics) from error
        self._committed |= next_offsets

    def close(self) -> None:
        with suppress(KafkaError):
            self._consumer.close(autocommit=False)
        with suppress(KafkaError):
            self._producer.close(timeout=2)

    def _find_committed(self, place: TopicPartition) -> int:
        partition = self._names.partition(place)
        try:
            committed = self._consumer.committed(partition, timeout_ms=POSITION_MS)
            if committed is not None:
                return committed
            return self._consumer.beginning_offsets([partition], timeout_ms=POSITION_MS)[partition]
        except (KafkaError, KeyError) as error:
            hidden = "which an open transaction may hide (UnstableOffsetCommitError, docs/guarantees.md)"
            raise self._failed(f"committed offset of {place}, {hidden}", error) from error

    def _failed(
        self, what: str, error: BaseException | None, operation: str = "Read", topics: Collection[str] = ()
    ) -> ConsumerError:
        """The error that ends this process, which did `operation` with `topics` (by default those it reads)."""
        if isinstance(error, Restart):
            return error
        if isinstance(error, AuthorizationError):
            return self._rights.missing(error, operation, topics or self._topics)
        return Restart(f"{what}: {error!r}{hint(error, self._member)}")

    def _check_counts(self) -> None:
        """Raise Restart if for `COUNTS_S` the topics have had other numbers of partitions than at the assignment.

        The leader of a group watches the numbers, but a restarted static member does not learn that it is the leader.
        Once it restarts with the new numbers, the group makes a new assignment (`assignors`).
        """
        counts = self._partition_counts()
        if counts == self._counts or not self._generation:
            self._counts_since = time.monotonic()
        elif time.monotonic() > self._counts_since + COUNTS_S:
            raise Restart(f"{', '.join(self._topics)}: {counts} partitions, but {self._counts} at the last assignment")

    def _partition_counts(self) -> list[int]:
        return [len(self._consumer.partitions_for_topic(topic) or ()) for topic in self._topics]

    def _reassigned(self) -> list[Record]:
        """Store a new assignment, and seek to the committed positions; the records of this poll are polled again.

        For partitions that it keeps, the client would continue after the records polled but not committed. The ends are
        asked for, because mails wait until it is known that no older label is still to be read, and the first fetch of
        an idle topic is answered late.
        """
        self._generation = self._assignments.changes
        partitions = self._consumer.assignment()
        self._ends = self._consumer.end_offsets(partitions, timeout_ms=POSITION_MS) if partitions else {}
        self._assignment = frozenset(map(self._names.place, partitions))
        self._positions, self._outdated = {}, set()
        self._committed = {place: self._find_committed(place) for place in self._assignment}
        for place, next_offset in self._committed.items():
            self.seek(place, next_offset)
        self._counts = self._partition_counts()
        return []
