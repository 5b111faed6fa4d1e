"""Records on the product's own topics that it did not write, or cannot read: they are skipped, named and counted.

Whoever may produce to these topics can write anything there. None of it may end a process.
"""

from __future__ import annotations

import logging

from ..errors import BadRecord
from ..log.base import Record, TopicPartition

logger = logging.getLogger(__name__)

MAX_LINES = 20
"""Places that are logged; a flood of records must not become a flood of lines."""


class SkippedRecords:
    """Counts the records that one process has skipped; `count` is their number."""

    def __init__(self) -> None:
        self.count = 0
        self._next_offsets: dict[TopicPartition, int] = {}

    def skip(self, record: Record, error: BadRecord) -> None:
        """Count a record and log its place and what is wrong with it, unless it was counted before."""
        place = record.place
        if record.offset < self._next_offsets.get(place, 0):
            return
        self._next_offsets[place] = record.offset + 1
        self.count += 1
        if self.count <= MAX_LINES:
            last = "; further ones are only counted" if self.count == MAX_LINES else ""
            text = "%s: not a record of ours (%s), skipped%s"
            logger.warning(text, record.location, error, last, extra={"kind": record.location})
