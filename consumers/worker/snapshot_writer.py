"""A snapshot is written in parts, over as many commits as its size needs; its manifest goes last."""

from __future__ import annotations

from collections import deque

from ..log.base import ProducerRecord
from ..model.replica import Replica

MIN_SNAPSHOT_BYTES = 4_000_000
FEATURE_BYTES = 18
"""About what a snapshot has for a feature."""


class SnapshotWriter:
    """Writes the snapshots of the owner of partition 0.

    The parts are those of the model at the moment when the snapshot was begun. Who stops before the manifest has
    written nothing that counts: the snapshot before and all deltas after it are still there.
    """

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._parts: deque[ProducerRecord] = deque()

    @property
    def writing(self) -> bool:
        """A snapshot has been begun, and parts of it are left."""
        return bool(self._parts)

    def stop(self) -> None:
        """Write no more of it: the partition may have another owner now, who writes one of its own."""
        self._parts.clear()

    def take(self, budget: int) -> list[ProducerRecord]:
        """The next parts, of about `budget` bytes together and at least one; a new snapshot is begun when it is due."""
        if not self._parts and self._due():
            self._parts.extend(self._replica.snapshot_records())
        taken: list[ProducerRecord] = []
        while self._parts and (not taken or budget > 0):
            taken.append(self._parts.popleft())
            budget -= record_bytes(taken[-1])
        if taken and not self._parts:
            self._replica.advance_snapshot(taken[-1])
        return taken

    def _due(self) -> bool:
        """Deltas outweigh twice the snapshot that would take their place: reading the last one and them at a start
        costs at most three. While a model is young, its deltas are less than it."""
        replica = self._replica
        size = max(replica.manifest.size, FEATURE_BYTES * replica.require_model().features)
        return replica.delta_bytes > max(MIN_SNAPSHOT_BYTES, 2 * size)


def record_bytes(record: ProducerRecord) -> int:
    """About what a record takes in a commit, in bytes."""
    return len(record.key or b"") + len(record.value or b"") + 50
