"""The latest records of a topic: where they begin, and reading them again after a start, which fills the windows."""

from __future__ import annotations

from collections.abc import Mapping

from ..log.base import GroupConsumer, Log, Record, TopicPartition

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


class Rewind:
    """Makes a consumer reread from `firsts` up to `ends` (the committed positions), and then continue there."""

    def __init__(
        self,
        consumer: GroupConsumer,
        firsts: Mapping[TopicPartition, int],
        ends: Mapping[TopicPartition, int],
    ) -> None:
        self._consumer = consumer
        self._next_offsets = dict(firsts)
        self._ends = dict(ends)
        for place, first in firsts.items():
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
