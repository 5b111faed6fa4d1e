"""Records on the product's own topics that it did not write, or cannot read: passed over, named and counted.

Whoever may produce to these topics can write anything there. None of it may end a process.
"""

from __future__ import annotations

import logging

from ..errors import BadRecord
from ..log.base import Record, TopicPartition

logger = logging.getLogger(__name__)

MOST_LINES = 20
"""Places that are said; a flood of records must not become a flood of lines."""


class SkippedRecords:
    """What one process has passed over; `count` is the number of records."""

    def __init__(self) -> None:
        self.count = 0
        self._next: dict[TopicPartition, int] = {}

    def skip(self, record: Record, why: BadRecord) -> None:
        """Count a record and say its place, unless it has been met before."""
        place = record.place
        if record.offset < self._next.get(place, 0):
            return
        self._next[place] = record.offset + 1
        self.count += 1
        if self.count <= MOST_LINES:
            last = "; further ones are only counted" if self.count == MOST_LINES else ""
            text = "%s: not a record of ours (%s), passed over%s"
            logger.warning(text, record.location, why, last, extra={"kind": record.location})
