"""Writes a snapshot in parts, over as many commits as its size needs; its manifest comes last."""

from __future__ import annotations

from collections import deque

from ..log.base import ProducerRecord
from ..model.replica import Replica

MIN_SNAPSHOT_BYTES = 4_000_000
FEATURE_BYTES = 18
"""Approximate size of one feature in a snapshot."""


class SnapshotWriter:
    """Writes the snapshots of the owner of partition 0.

    All parts show the model as it was when the snapshot was begun. A writer that stops before the manifest does no
    harm: the previous snapshot and all deltas after it are still on the log.
    """

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._parts: deque[ProducerRecord] = deque()

    @property
    def writing(self) -> bool:
        """Whether a snapshot has been begun and parts of it are still unwritten."""
        return bool(self._parts)

    def stop(self) -> None:
        """Abandon the snapshot, because the partition may have a new owner, which writes its own."""
        self._parts.clear()

    def take(self, budget: int) -> list[ProducerRecord]:
        """Return the next parts, at least one and about `budget` bytes in all; begin a new snapshot when one is due."""
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
        """Whether the deltas are more than twice as large as the snapshot that would replace them. A start then reads
        at most three snapshots' worth. A young model's deltas are smaller than the model."""
        replica = self._replica
        size = max(replica.manifest.size, FEATURE_BYTES * replica.require_model().features)
        return replica.delta_bytes > max(MIN_SNAPSHOT_BYTES, 2 * size)


def record_bytes(record: ProducerRecord) -> int:
    """Approximate size of a record in a commit, in bytes."""
    return len(record.key or b"") + len(record.value or b"") + 50
