"""Consecutive records of the same partition, because looking up the place of each one takes longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from .base import Record, TopicPartition


def runs(records: Iterable[Record]) -> Iterator[tuple[TopicPartition, list[Record]]]:
    """Yield consecutive records of a partition together, with their place."""
    for (topic, partition), run in groupby(records, itemgetter(0, 1)):
        yield TopicPartition(topic, partition), [*run]
