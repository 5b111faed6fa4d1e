"""A seat in a consumer group over SQLite files: the only one, since a topic has one partition.

The fence is a lock on a file, which the kernel drops with the process; outputs and positions are one transaction.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ...errors import LogUnavailable, Restart
from ...runtime.pause import pause
from ...runtime.private_files import open_new
from ..base import GroupConsumer, ProducerRecord, Record, TopicPartition

if TYPE_CHECKING:
    from .log import SqliteLog

FENCE_WAIT_S = 15.0


class SqliteGroupConsumer(GroupConsumer):
    """The one seat of a group; it holds the lock file `fence` as long as it lives, and commits to file `writes`."""

    def __init__(self, log: SqliteLog, group: str, topics: Sequence[str], writes: str, fence: Path) -> None:
        self._log = log
        self._group = group
        self._writes = writes
        self._fence = _hold(fence, group)
        self._places = frozenset(TopicPartition(topic, 0) for topic in topics)
        self._assignment: frozenset[TopicPartition] = frozenset()
        self._positions: dict[TopicPartition, int] = {}

    def poll(self, limit: int = 1000, timeout_s: float = 0.5) -> list[Record]:
        if not self._assignment:
            self._assignment = self._places
            self._positions = {place: self.committed(place) for place in self._places}
            return []
        records = self._log.read(self._positions, limit, timeout_s)
        for record in records:
            self._positions[record.place] = record.offset + 1
        return records

    @property
    def assignment(self) -> frozenset[TopicPartition]:
        return self._assignment

    def lag(self, place: TopicPartition) -> int | None:
        return self._log.end_offset(place) - self._positions[place]

    def committed(self, place: TopicPartition) -> int:
        position = self._log.position(self._writes, self._group, place.topic)
        return self._log.start_offset(place) if position is None else position

    def seek(self, place: TopicPartition, next_offset: int) -> None:
        self._positions[place] = next_offset

    def commit(self, outputs: Sequence[ProducerRecord], next_offsets: Mapping[TopicPartition, int]) -> None:
        positions = {(self._group, place.topic): next_offset for place, next_offset in next_offsets.items()}
        try:
            self._log.write(self._writes, outputs, positions)
        except LogUnavailable as error:
            raise Restart(f"commit: {error}") from error

    def close(self) -> None:
        self._fence.close()


def _hold(path: Path, group: str) -> IO[bytes]:
    """Hold the group's lock; a predecessor that is just ending is waited for."""
    lock = open_new(path)
    deadline = time.monotonic() + FENCE_WAIT_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > deadline:
                lock.close()
                raise LogUnavailable(
                    f"sqlite:{path.parent}: group {group!r} has a member already; stop it first (SQLite has one "
                    "partition and so one worker; Kafka takes many)"
                ) from None
            pause(0.05)
