"""Polling past damage: a batch whose checksum fails costs its own records, never the stream.

kafka-python does not say where a damaged batch ends, and a second poll at its place never comes back (3.0: the parsed
batch is exhausted by the first error and asked again for ever). So another consumer looks for the first offset that can
be read again, by doubling its step and then halving it, and the first one seeks there. Each offset in between is
returned as a record without key and value: a worker quarantines it with its place, and every reader sees the same.
"""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

from .clients import CorruptRecordError, KafkaConsumer, KafkaPartition, make_reader

PROBE_MS = 5_000

logger = logging.getLogger(__name__)


def poll(
    consumer: KafkaConsumer, connection: dict[str, Any], timeout_s: float, limit: int
) -> dict[KafkaPartition, list[Any]]:
    """As `KafkaConsumer.poll`; damaged offsets come back as messages whose key and value are None."""
    try:
        return consumer.poll(timeout_ms=round(timeout_s * 1000), max_records=limit)
    except CorruptRecordError:
        probe = make_reader(connection, wait_ms=1)
        try:
            for partition in sorted(consumer.assignment()):
                bad = consumer.position(partition)
                good = _first_good(probe, partition, bad)
                if good > bad:
                    logger.error("damaged: %s[%d]@%d to %d cannot be read", *partition, bad, good - 1)
                    consumer.seek(partition, good)
                    return {partition: [_lost(partition, offset) for offset in range(bad, good)]}
        finally:
            probe.close()
        raise


def _first_good(probe: KafkaConsumer, partition: KafkaPartition, first: int) -> int:
    """The first offset from `first` on where a batch can be read, or the end."""
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


def _damaged(probe: KafkaConsumer, partition: KafkaPartition, offset: int) -> bool:
    probe.seek(partition, offset)
    try:
        probe.poll(timeout_ms=PROBE_MS, max_records=1)
    except CorruptRecordError:
        return True
    return False


def _lost(partition: KafkaPartition, offset: int) -> SimpleNamespace:
    return SimpleNamespace(
        topic=partition.topic, partition=partition.partition, offset=offset, key=None, value=None, timestamp=0
    )
