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
            for place in sorted(consumer.assignment()):
                bad = consumer.position(place)
                good = _first_good(probe, place, bad)
                if good > bad:
                    logger.error("damaged: %s[%d]@%d to %d cannot be read", *place, bad, good - 1)
                    consumer.seek(place, good)
                    return {place: [_lost(place, offset) for offset in range(bad, good)]}
        finally:
            probe.close()
        raise


def _first_good(probe: KafkaConsumer, place: KafkaPartition, first: int) -> int:
    """The first offset from `first` on where a batch can be read, or the end."""
    probe.assign([place])
    end = probe.end_offsets([place])[place]
    if first >= end or not _damaged(probe, place, first):
        return first
    bad, step = first, 1
    while (good := min(bad + step, end)) < end and _damaged(probe, place, good):
        bad, step = good, 2 * step
    while good - bad > 1:
        middle = (good + bad) // 2
        if _damaged(probe, place, middle):
            bad = middle
        else:
            good = middle
    return good


def _damaged(probe: KafkaConsumer, place: KafkaPartition, offset: int) -> bool:
    probe.seek(place, offset)
    try:
        probe.poll(timeout_ms=PROBE_MS, max_records=1)
    except CorruptRecordError:
        return True
    return False


def _lost(place: KafkaPartition, offset: int) -> SimpleNamespace:
    return SimpleNamespace(
        topic=place.topic, partition=place.partition, offset=offset, key=None, value=None, timestamp=0
    )
