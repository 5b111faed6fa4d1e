"""A consumer of a group over SQLite files: the only one of its group, because a topic has one partition.

The fence is a file lock, which the kernel releases with the process; outputs and positions are one transaction.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO
from urllib.parse import quote

from ...errors import LogUnavailable, Restart, UserError
from ...runtime.pause import pause
from ...runtime.private_files import open_new
from ..base import GroupConsumer, ProducerRecord, Record, TopicPartition
from .file import advice
from .store import SqliteStore

FENCE_WAIT_S = 15.0


class SqliteGroupConsumer(GroupConsumer):
    """The one consumer of a group; it holds the group's lock file until it is closed.

    Args:
        group: The name of the group.
        topics: The topics it reads, one or more.
        file: The file for outputs and positions: one of `store.NAMES`.

    Raises:
        LogUnavailable: The lock file cannot be opened or locked.
        UserError: Another process still holds the lock after `FENCE_WAIT_S` seconds; a restart would not help.
    """

    def __init__(self, store: SqliteStore, group: str, topics: Sequence[str], file: str) -> None:
        super().__init__()
        self._store = store
        self._group = group
        self._output_file = file
        self._lock = _lock(store.folder, group)
        self._places = frozenset(TopicPartition(topic, 0) for topic in topics)
        self._positions: dict[TopicPartition, int] = {}

    def poll(self, limit: int = 1000, timeout_s: float = 0.5, paused: Collection[TopicPartition] = ()) -> list[Record]:
        if not self._assignment:
            self._assignment = self._places
            self._generation += 1
            self._positions = {place: self.committed(place) for place in self._places}
            return []
        polled = {place: position for place, position in self._positions.items() if place not in paused}
        records = self._store.read(polled, limit, timeout_s)
        for record in records:
            self._positions[record.place] = record.offset + 1
        return records

    def lag(self, place: TopicPartition) -> int:
        return self._store.topic(place.topic).next_offset - self._positions[place]

    def committed(self, place: TopicPartition) -> int:
        position = self._store.position(self._output_file, self._group, place.topic)
        return self._store.start_offset(place.topic) if position is None else position

    def seek(self, place: TopicPartition, next_offset: int) -> None:
        self._positions[place] = next_offset

    def commit(self, outputs: Sequence[ProducerRecord], next_offsets: Mapping[TopicPartition, int]) -> None:
        positions = {(self._group, place.topic): next_offset for place, next_offset in next_offsets.items()}
        try:
            self._store.write(self._output_file, outputs, positions)
        except LogUnavailable as error:
            raise Restart(f"commit: {error}") from error

    def close(self) -> None:
        self._lock.close()


def _lock(folder: Path, group: str) -> IO[bytes]:
    """Open and lock the group's lock file; wait for a predecessor that is about to end."""
    path = folder / f"{quote(group, safe='')}.lock"  # a group's name may contain a slash
    deadline = time.monotonic() + FENCE_WAIT_S
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(open_new(path))
            while not _locked(lock):
                if time.monotonic() > deadline:
                    raise UserError(
                        f"sqlite:{folder}: group {group!r} has a member already; stop it first (SQLite has one "
                        "partition and so allows one worker; Kafka allows many)"
                    )
                pause(0.05)
        except OSError as error:
            raise LogUnavailable(f"{path}: {error.strerror}; {advice(error)}") from error
        stack.pop_all()
        return lock


def _locked(lock: IO[bytes]) -> bool:
    """Acquire the lock; returns False if another process holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
