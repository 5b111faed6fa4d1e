"""The record log on Apache Kafka."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property

from ...errors import LogUnavailable, UnknownTopic, UserError
from ...settings import KafkaSettings
from ..base import Log, ProducerRecord, Record, TopicPartition, TopicSpec
from ..ends import check_ends
from .client_types import Producer
from .clients import AuthorizationError, KafkaError, abandon, broker_version, make_feeder, written_ends
from .connection import connection
from .consumer import KafkaGroupConsumer
from .hints import hint
from .lost_connections import lost_connections
from .reader import KafkaReader
from .rights import Rights, refusal
from .topic_ids import topic_version
from .topic_names import TopicNames
from .topics import ask_until_known, create_topics

OLDEST = (2, 5)
"""The first version whose brokers check the generation of a member that commits in a transaction (KIP-447)."""
APPEND_S = 60.0
ENDS_S = 10.0
"""How often a follower that reads nothing checks whether its partitions still reach its position."""
FOLLOW_MS = 100
"""How long the broker may delay its answer to a follower that has read everything."""
FIND_BYTES = 256 << 10
"""Size of one fetch of a reader of single records."""
MOST_FOLLOWERS = 8
"""Most sets of partitions that are followed at the same time; opening another closes the oldest."""


class KafkaLog(Log):
    """The log on the Kafka brokers `bootstrap`: ``host:port[,host:port]``.

    Raises:
        UserError: The address or the settings cannot be used.
        LogUnavailable: No broker answers, or none accepts the connection.
    """

    def __init__(self, bootstrap: str, settings: KafkaSettings) -> None:
        self._settings = settings
        self._names = TopicNames(settings.prefix)
        self._connection = connection(bootstrap, settings)
        self._where = self._connection.where
        self._rights = Rights(self._connection)
        self._followers: dict[frozenset[TopicPartition], KafkaReader] = {}
        self._next_check = time.monotonic() + ENDS_S
        with lost_connections() as lost, self._translating_errors(lost=lost):
            self._scanner = KafkaReader(self._connection, self._names)

    def create_topics(self, specs: Sequence[TopicSpec], partitions: int) -> list[str]:
        created = create_topics(self._connection, self._names, specs, partitions, self._settings)
        known = self._scanner.consumer.partitions_for_topic
        with self._translating_errors():
            ask_until_known(lambda: {spec.name: known(self._names.topic(spec.name)) for spec in specs})
        return created

    def partitions(self, topic: str) -> int:
        with self._translating_errors():
            found = self._scanner.consumer.partitions_for_topic(self._names.topic(topic))
        if not found:
            raise UnknownTopic(f"{self._where}: no topic {self._names.topic(topic)}; run `stream-nb topics create`")
        return len(found)

    def start_offset(self, place: TopicPartition) -> int:
        partition = self._names.partition(place)
        with self._translating_errors():
            return self._scanner.consumer.beginning_offsets([partition])[partition]

    def end_offset(self, place: TopicPartition) -> int:
        partition = self._names.partition(place)
        with self._translating_errors():
            return self._scanner.consumer.end_offsets([partition])[partition]

    def written_ends(self, places: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
        partitions = {self._names.partition(place): place for place in places}
        with self._translating_errors():
            ends = written_ends(self._connection, partitions)
        return {partitions[partition]: end for partition, end in ends.items()}

    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        with self._translating_errors():
            records = self._follower(frozenset(next_offsets)).follow(next_offsets, limit, timeout_s)
        if not records and time.monotonic() >= self._next_check:
            self._next_check = time.monotonic() + ENDS_S
            check_ends(self, next_offsets)  # the client never reports it
        return records

    def scan(self, place: TopicPartition, next_offset: int = 0) -> Iterator[Record]:
        end = self.end_offset(place)
        first = max(next_offset, self.start_offset(place))
        with self._translating_errors():
            yield from self._scanner.scan(place, first, end)

    def read_at(self, place: TopicPartition, offset: int) -> Record | None:
        if place.partition >= self.partitions(place.topic):
            return None
        with self._translating_errors():
            return self._finder.read_at(place, offset)

    def append(self, records: Sequence[ProducerRecord]) -> None:
        topics = {self._names.topic(record.topic) for record in records}
        with self._translating_errors("Write", topics):
            sent = [self._names.send(self._feeder, record) for record in records]
            self._feeder.flush(timeout=APPEND_S)
            if (refused := refusal([future.exception for future in sent])) is not None:
                raise refused
        for future in sent:
            if not future.succeeded():
                raise LogUnavailable(f"{self._where}: append: {future.exception!r}{hint(future.exception)}")

    def join_group(
        self,
        group: str,
        topics: Sequence[str],
        member: str,
        output: str | None = None,
        wait_bytes: int = 1,
        single_active: bool = False,
    ) -> KafkaGroupConsumer:
        version = broker_version(self._scanner.consumer)
        if version < OLDEST:
            raise UserError(
                f"{self._where}: the brokers speak the protocol of Kafka {'.'.join(map(str, version))} and accept what"
                " a replaced worker commits, so that mail could be scored twice; use Kafka 2.8 or newer"
            )
        for topic in topics:
            self.partitions(topic)  # raises UnknownTopic
        with self._translating_errors():
            versions = {topic: topic_version(self._scanner.consumer, self._names.topic(topic)) for topic in topics}
            return KafkaGroupConsumer(self._connection, self._names, group, versions, member, wait_bytes, single_active)

    def close(self) -> None:
        opened = vars(self)
        if "_feeder" in opened:
            # `append` has waited for its records: what is unsent is of one that failed or was interrupted.
            abandon(opened.pop("_feeder"))
        clients = [opened.pop(name) for name in ("_scanner", "_finder") if name in opened]
        for client in [*clients, *self._followers.values()]:
            with suppress(KafkaError):
                client.close()
        self._followers.clear()

    @contextmanager
    def _translating_errors(
        self, operation: str = "Read", topics: Collection[str] = (), lost: Sequence[str] = ()
    ) -> Generator[None]:
        """Turn the library's errors in the block, which does `operation` with `topics`, into ours.

        `lost` lists why connections were lost meanwhile.
        """
        try:
            yield
        except AuthorizationError as error:
            raise self._rights.missing(error, operation, topics) from error
        except (KafkaError, OSError, ValueError, KeyError) as error:  # KeyError: as in `KafkaGroupConsumer.poll`
            why = "; ".join([str(error), *lost, self._connection.advice])
            raise LogUnavailable(f"{self._where}: {why}") from error

    def _follower(self, places: frozenset[TopicPartition]) -> KafkaReader:
        """The reader of exactly these partitions, because assigning a reader others would drop its fetched records."""
        if places not in self._followers:
            if len(self._followers) == MOST_FOLLOWERS:
                self._followers.pop(next(iter(self._followers))).close()
            self._followers[places] = KafkaReader(self._connection, self._names, FOLLOW_MS)
        return self._followers[places]

    @cached_property
    def _finder(self) -> KafkaReader:
        return KafkaReader(self._connection, self._names, fetch_bytes=FIND_BYTES)

    @cached_property
    def _feeder(self) -> Producer:
        return make_feeder(self._connection)
