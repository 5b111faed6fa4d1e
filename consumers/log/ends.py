"""A partition that ends before where it was read to: its reader would wait for ever."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import Restart
from .base import Log, TopicPartition


def began_anew(place: TopicPartition, offset: int, next_offset: int) -> Restart:
    """The error of who has read up to `next_offset` of a partition that is at `offset` now."""
    return Restart(
        f"{place} is at {offset}, and was read up to {next_offset}: the topic was deleted and created again, or lost "
        "records"
    )


def check_ends(log: Log, next_offsets: Mapping[TopicPartition, int]) -> None:
    """Raise Restart where a partition ends before the offset to read next."""
    for place, next_offset in next_offsets.items():
        end = log.end_offset(place)
        if end < next_offset:
            raise began_anew(place, end, next_offset)
