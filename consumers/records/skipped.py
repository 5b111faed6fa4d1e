"""Skips, logs and counts foreign or undecodable records on our own topics.

Any producer with the right to write to these topics can write anything. None of it may end a process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ..errors import BadRecord
from ..log.base import Record, TopicPartition

logger = logging.getLogger(__name__)

Content = TypeVar("Content")

MAX_LINES = 20
"""Most records that are logged, so that a flood of records does not become a flood of lines."""


class SkippedRecords:
    """Counts the records that one process has skipped; `count` is their number."""

    def __init__(self) -> None:
        self.count = 0
        self._next_offsets: dict[TopicPartition, int] = {}

    def skip(self, record: Record, error: BadRecord) -> None:
        """Count a record, and log its place and what is wrong with it, unless it was counted before."""
        place = record.place
        if record.offset < self._next_offsets.get(place, 0):
            return
        self._next_offsets[place] = record.offset + 1
        self.count += 1
        if self.count <= MAX_LINES:
            last = "; further ones are only counted" if self.count == MAX_LINES else ""
            text = "%s: not a record of ours (%s), skipped%s"
            logger.warning(text, record.location, error, last, extra={"kind": record.location})

    @contextmanager
    def unless_readable(self, record: Record) -> Generator[None]:
        """Skip the record if the block raises BadRecord."""
        try:
            yield
        except BadRecord as error:
            self.skip(record, error)


def readable(
    records: Iterable[Record], read: Callable[[Record], Content], skipped: SkippedRecords | None = None
) -> Iterator[tuple[Record, Content]]:
    """Yield each record with what `read` returns for it, except those for which it raises BadRecord.

    `skipped` counts these, unless it is None.
    """
    for record in records:
        try:
            content = read(record)
        except BadRecord as error:
            if skipped is not None:
                skipped.skip(record, error)
        else:
            yield record, content
