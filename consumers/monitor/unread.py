"""The number of unread records of a partition in which some offsets hold no readable record.

Transaction markers and the records of aborted transactions use offsets, so a consumer that has read everything may not
be at the end. Looking up the first readable record costs a request; it is done once, after a count in which neither
the position nor the end has moved.
"""

from __future__ import annotations

from typing import NamedTuple

from ..log.base import Log, TopicPartition


class Count(NamedTuple):
    """A count from `next_offset` to `end`; `first` is the first offset that may hold a record, `looked` whether it was
    looked up."""

    next_offset: int
    end: int
    first: int
    looked: bool


class Unread:
    """Counts the unread records of other consumers."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._last: dict[TopicPartition, Count] = {}

    def count(self, place: TopicPartition, next_offset: int) -> int:
        """The number of offsets from the first record at or after `next_offset` to the end; raises LogUnavailable.

        Records that the log has deleted do not count. After the position or the end has moved, the next count may
        include offsets without a record.
        """
        end = self._log.end_offset(place)
        if next_offset < end:  # else it need not be asked for, which costs a request
            next_offset = max(next_offset, self._log.start_offset(place))
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
