"""Rereads the latest records before the committed positions after a start, which fills the windows."""

from __future__ import annotations

from collections.abc import Mapping

from ..log.base import GroupConsumer, Record, TopicPartition


class Rewind:
    """Makes a consumer reread from `first_offsets` up to `ends` (the committed positions), and then continue there."""

    def __init__(
        self,
        consumer: GroupConsumer,
        first_offsets: Mapping[TopicPartition, int],
        ends: Mapping[TopicPartition, int],
    ) -> None:
        self._consumer = consumer
        self._next_offsets = dict(first_offsets)
        self._ends = dict(ends)
        for place, first in first_offsets.items():
            consumer.seek(place, first)

    def admit(self, records: list[Record]) -> list[Record]:
        """The records before `ends`; the consumer reads the others again after `finish`."""
        for record in records:
            self._next_offsets[record.place] = record.offset + 1
        return [record for record in records if record.offset < self._ends[record.place]]

    def lag(self, place: TopicPartition) -> int | None:
        """0 if a partition has been read up to its end, else None."""
        # The last offset before a committed position may belong to a transaction marker, which is never polled.
        read = self._next_offsets[place] >= self._ends[place] or self._consumer.lag(place) == 0
        return 0 if read else None

    def finish(self) -> bool:
        """Seek to the ends once all partitions have been read up to them; return whether that is so."""
        if any(self.lag(place) != 0 for place in self._ends):
            return False
        for place, end in self._ends.items():
            self._consumer.seek(place, end)
        return True
