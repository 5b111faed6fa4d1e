"""The Kafka clients with the settings that the log's contract needs; the only file that imports kafka-python.

If a setting differs from the library's default, the reason is given beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from typing import Any

import kafka
import kafka.admin
import kafka.coordinator.assignors.range
from kafka import ConsumerRebalanceListener
from kafka.errors import (
    AuthorizationError,
    CorruptRecordError,
    GroupAuthorizationFailedError,
    KafkaError,
    KafkaTimeoutError,
    RequestTimedOutError,
    TopicAuthorizationFailedError,
    TransactionalIdAuthorizationFailedError,
)
from kafka.net.compat import KafkaNetClient  # pyright: ignore[reportMissingTypeStubs]

from .assignors import assignors
from .client_types import Admin, Consumer, Partition, Producer
from .connection import Connection
from .emptied_batches import read_past_emptied
from .net_client import net_client
from .pausing import return_kept
from .selector import QuickSelector
from .slow_link import fetch_less_once_late

__all__ = [
    "AuthorizationError",
    "ConsumerRebalanceListener",
    "CorruptRecordError",
    "GroupAuthorizationFailedError",
    "KafkaError",
    "TopicAuthorizationFailedError",
    "TransactionalIdAuthorizationFailedError",
]

# Type checkers use stubs of an older version of the library.
_kafka: Any = kafka
_admin: Any = kafka.admin
_range: Any = kafka.coordinator.assignors.range
_NetClient: Any = net_client(KafkaNetClient, KafkaError)

MAX_RECORD_BYTES = 4 << 20
"""The largest producer request and topic batch: the largest accepted mail fits, and so does a snapshot chunk."""

FETCH_BYTES = 8 << 20
"""The most a consumer fetches of a partition at a time."""

METADATA_MS = 3_000
"""The longest delay until a consumer notices new partitions or a new leader. For the start or end of a partition the
library (3.0) retries a broker that no longer leads, or is dead, for 30 s without a pause, and then fails."""
TRANSACTION_MS = 15_000
"""How long a dead worker's open transaction blocks others; the library's default of 60 s is too long."""


def make_partition(topic: str, partition: int) -> Partition:
    """The library's object for partition number `partition` (from 0) of `topic`, a name on the broker."""
    return _kafka.TopicPartition(topic, partition)


def make_position(next_offset: int) -> object:
    """A position to commit: `next_offset`, 0 or more."""
    return _kafka.OffsetAndMetadata(next_offset, "", -1)


def make_topic_resource(topic: str) -> object:
    """The admin client's object for `topic`, a name on the broker, to describe its settings."""
    return _admin.ConfigResource(_admin.ConfigResourceType.TOPIC, topic)


def make_admin(connection: Connection) -> Admin:
    """A client for topics."""
    return _kafka.KafkaAdminClient(**connection, request_timeout_ms=15_000, kafka_client=_NetClient)


def written_ends(connection: Connection, partitions: Iterable[Partition]) -> dict[Partition, int]:
    """The offset after the last record written to each partition, committed or not."""
    with closing(make_admin(connection)) as admin:
        found = admin.list_partition_offsets(dict.fromkeys(partitions, _admin.OffsetSpec.LATEST))
    return {partition: each.offset for partition, each in found.items()}


def broker_version(consumer: Consumer) -> tuple[int, ...]:
    """The version of Kafka whose protocol a consumer's brokers speak, such as (3, 9)."""
    return consumer.config["api_version"]


def find_position(consumer: Consumer, partition: Partition, timeout_ms: int | None = None) -> int:
    """The offset that a consumer reads next of an assigned partition; raises KafkaError if the brokers do not say where
    that is within `timeout_ms` (None: the library's default)."""
    position = consumer.position(partition, timeout_ms=timeout_ms)
    if position is None:  # its last position was deleted, and the brokers have not said where the partition begins
        raise KafkaTimeoutError(f"no answer where {partition.topic}[{partition.partition}] begins")
    return position


def make_reader(connection: Connection, wait_ms: int, fetch_bytes: int = FETCH_BYTES) -> Consumer:
    """A consumer without a group, positioned by `seek`, that sees committed records only.

    Args:
        wait_ms: How long the broker may delay its answer at the end of a partition, in milliseconds, 0 or more. Later
            requests on the same connection wait, too, so a reader that knows where the end is must allow no delay.
        fetch_bytes: Approximate size of one fetch from a partition, 1 or more.
    """
    return _make_consumer(connection, fetch_max_wait_ms=wait_ms, max_partition_fetch_bytes=fetch_bytes)


def make_member(
    connection: Connection,
    group: str,
    member: str,
    versions: Mapping[str, str],
    wait_bytes: int,
    single_active: bool = False,
) -> Consumer:
    """A static member of a group: restarted under the same name, it rejoins at once; the session timeout of 10 s bounds
    how long a dead member's partitions are left unread.

    Args:
        group: The group's name on the broker.
        member: The member's name, which no other live process of the group may have.
        versions: The topics to read, by their names on the broker, with their versions (`topic_ids.topic_version`).
        wait_bytes: The broker waits up to 0.1 s to collect this many bytes, 1 or more: an answer costs 0.7 ms CPU here.
        single_active: As for `Log.join_group`.
    """
    consumer = _make_consumer(
        connection,
        max_partition_fetch_bytes=FETCH_BYTES,
        group_id=group,
        group_instance_id=member,
        partition_assignment_strategy=assignors(_range.RangePartitionAssignor, versions, single_active),
        fetch_min_bytes=wait_bytes,
        fetch_max_wait_ms=100,
        session_timeout_ms=10_000,
        heartbeat_interval_ms=2_000,
        max_poll_interval_ms=120_000,
    )
    for topic in versions:
        consumer.partitions_for_topic(topic)  # a group leader without this metadata assigns no partitions
    return return_kept(consumer)


def make_transactional_producer(connection: Connection, name: str) -> Producer:
    """A producer that fences the previous producer with the same transactional id, `name`, which no other live process
    may have.

    The delivery timeout is shorter than the transaction's, because the failure would else be raised in the sender
    thread. `retry_backoff_ms` is short, because the library sleeps that long after every EndTxn. Batches hold a usual
    commit, because from a partition's second batch on each record wakes the sender thread.
    """
    return _make_producer(
        connection,
        transactional_id=name,
        transaction_timeout_ms=TRANSACTION_MS,
        delivery_timeout_ms=TRANSACTION_MS - 1_000,
        request_timeout_ms=5_000,
        retry_backoff_ms=20,
        max_block_ms=TRANSACTION_MS,
        batch_size=1 << 20,
        compression_type="zstd",
    )


def make_feeder(connection: Connection) -> Producer:
    """A producer for mails and labels: acknowledged by all in-sync replicas, in order, in large batches."""
    return _make_producer(
        connection,
        acks="all",
        enable_idempotence=True,
        delivery_timeout_ms=60_000,
        batch_size=1 << 20,
        compression_type="lz4",
    )


def _make_consumer(connection: Connection, **options: Any) -> Consumer:
    """A consumer that sees committed records only, and never commits on its own."""
    consumer = _kafka.KafkaConsumer(
        **connection,
        **options,
        isolation_level="read_committed",  # also makes reads of a group's offsets wait for open transactions
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        allow_auto_create_topics=False,
        metrics_enabled=False,
        selector=QuickSelector,
        kafka_client=_NetClient,
        metadata_max_age_ms=METADATA_MS,
    )
    fetch_less_once_late(consumer, RequestTimedOutError)
    return read_past_emptied(consumer)


def _make_producer(connection: Connection, **options: Any) -> Producer:
    """A producer of records of up to `MAX_RECORD_BYTES`."""
    return _kafka.KafkaProducer(
        **connection,
        **options,
        linger_ms=5,
        max_request_size=MAX_RECORD_BYTES,
        allow_auto_create_topics=False,
        metrics_enabled=False,
        selector=QuickSelector,
        kafka_client=_NetClient,
    )


def abandon(producer: Producer) -> None:
    """Close a producer at once: its unsent records are dropped, and the process does not wait for them at exit."""
    with suppress(KafkaError):
        producer.close(timeout=0)
    # close() fails in its flush and skips these two steps, for which the library has no public method.
    internals: Any = producer
    internals._sender.force_close()
    internals._closed = True
