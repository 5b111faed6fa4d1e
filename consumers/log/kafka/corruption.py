"""Poll past damaged batches: a batch whose checksum fails loses its own records, but does not stop the stream.

kafka-python does not report where a damaged batch ends, and a second poll at the same position never returns (3.0: the
first error exhausts the parsed batch, which is then iterated forever). So another consumer searches for the first
readable offset, by doubling its step and then bisecting, and the consumer seeks there. Each offset in between is
returned as a record without key and value, the same to every reader; a worker quarantines it with its offset.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from .client_types import Consumer, Message, Partition
from .clients import CorruptRecordError, find_position, make_reader
from .connection import Connection

PROBE_MS = 5_000

logger = logging.getLogger(__name__)


class LostMessage(NamedTuple):
    """Stands for a message that cannot be read."""

    topic: str
    partition: int
    offset: int
    key: None = None
    value: None = None
    timestamp: int = 0


def poll(consumer: Consumer, connection: Connection, timeout_s: float, limit: int) -> dict[Partition, list[Message]]:
    """Like `Consumer.poll`; damaged offsets are returned as messages whose key and value are None.

    Args:
        consumer: The consumer, at the position to read from; it moves past what is returned.
        timeout_s: Longest wait for the first message, in seconds, 0 or more.
        limit: Most messages, 1 or more; a damaged range is returned whole.

    Raises:
        KafkaError: As raised by the library; CorruptRecordError only if no damaged offset is found.
    """
    try:
        return consumer.poll(timeout_ms=round(timeout_s * 1000), max_records=limit)
    except CorruptRecordError:
        probe = make_reader(connection, wait_ms=1)
        try:
            for partition in sorted(consumer.assignment(), key=lambda each: (each.topic, each.partition)):
                bad = find_position(consumer, partition)
                good = _first_good(probe, partition, bad)
                if good > bad:
                    logger.error(
                        "damaged: %s[%d]@%d to %d cannot be read", partition.topic, partition.partition, bad, good - 1
                    )
                    consumer.seek(partition, good)
                    return {partition: [LostMessage(partition.topic, partition.partition, o) for o in range(bad, good)]}
        finally:
            probe.close()
        raise


def _first_good(probe: Consumer, partition: Partition, first: int) -> int:
    """The first offset from `first` on at which a batch can be read, or the end."""
    probe.assign([partition])
    end = probe.end_offsets([partition])[partition]
    if first >= end or not _damaged(probe, partition, first):
        return first
    bad, step = first, 1
    while (good := min(bad + step, end)) < end and _damaged(probe, partition, good):
        bad, step = good, 2 * step
    while good - bad > 1:
        middle = (good + bad) // 2
        if _damaged(probe, partition, middle):
            bad = middle
        else:
            good = middle
    return good


def _damaged(probe: Consumer, partition: Partition, offset: int) -> bool:
    probe.seek(partition, offset)
    try:
        probe.poll(timeout_ms=PROBE_MS, max_records=1)
    except CorruptRecordError:
        return True
    return False
