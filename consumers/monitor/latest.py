"""Where the latest records of a topic begin, over all its partitions."""

from __future__ import annotations

from collections.abc import Mapping

from ..log.base import Log, TopicPartition

UNEVEN = 4
"""How many times its equal share of the latest records one partition may hold."""


def first_offsets(log: Log, ends: Mapping[TopicPartition, int], latest: int) -> dict[TopicPartition, int]:
    """The offset in each partition from which to read the `latest` records (1 or more) before `ends`.

    The records of one partition may be older than those of another, so at least `latest` records are read, and at most
    `UNEVEN` times as many, however many partitions there are. If one partition gets more than `UNEVEN` times its equal
    share of the records, fewer of its latest are read.
    """
    most = min(latest, -(-UNEVEN * latest // len(ends)))
    return {place: max(log.start_offset(place), end - most) for place, end in ends.items()}
