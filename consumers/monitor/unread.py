"""How many records of a partition wait, where some offsets hold none that can be read.

Transaction markers and the records of aborted transactions take up offsets, so who has read everything need not be at
the end. To look for the first record costs a request: it is done once, where nothing has moved since the last count.
"""

from __future__ import annotations

from typing import NamedTuple

from ..log.base import Log, TopicPartition


class Count(NamedTuple):
    """A count: from where to which end, the first offset that may hold a record, and whether that was looked up."""

    next_offset: int
    end: int
    first: int
    looked: bool


class Unread:
    """Counts what others have yet to read.

    Args:
        log: The log.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._last: dict[TopicPartition, Count] = {}

    def count(self, place: TopicPartition, next_offset: int) -> int:
        """Offsets from the first record at or after `next_offset` to the end; raises LogUnavailable.

        Right after something has moved, offsets without a record may be among them.

        Args:
            place: The partition.
            next_offset: The offset to read next, 0 or more.
        """
        end = self._log.end_offset(place)
        if next_offset >= end:
            return 0
        last = self._last.get(place)
        if last is None or last.next_offset != next_offset:
            found = Count(next_offset, end, next_offset, looked=False)
        elif last.end != end:
            found = Count(next_offset, end, min(last.first, end), looked=False)
        elif last.looked:
            found = last
        else:
            record = next(self._log.scan(place, last.first), None)
            found = Count(next_offset, end, end if record is None else record.offset, looked=True)
        self._last[place] = found
        return end - found.first
