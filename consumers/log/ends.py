"""Detects a partition that ends before its reader's position: the reader would wait forever."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import Restart
from .base import Log, TopicPartition


def partition_shrank(place: TopicPartition, offset: int, next_offset: int) -> Restart:
    """The error for a partition that reached to `next_offset` and is at `offset` now."""
    return Restart(
        f"{place} is at {offset}, but reached {next_offset} before: the topic was deleted and recreated, or lost "
        "records"
    )


def check_ends(log: Log, next_offsets: Mapping[TopicPartition, int]) -> None:
    """Raise Restart when a partition ends before the offset to read next."""
    for place, next_offset in next_offsets.items():
        end = log.end_offset(place)
        if end < next_offset:
            raise partition_shrank(place, end, next_offset)
