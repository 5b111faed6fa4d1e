"""Brings the replica of a worker that takes over a partition up to the labels that its last owner has learned."""

from __future__ import annotations

from ..errors import LogDamaged
from ..log.base import Log, TopicPartition
from ..model.replica import Replica
from ..records.schemas import MODEL


def catch_up(log: Log, replica: Replica, labels: TopicPartition, committed: int) -> None:
    """Follow the deltas to the end; all deltas of the last owner must be readable (`wait_for_outputs`).

    Args:
        log: The log.
        replica: The worker's replica.
        labels: The partition of `labels`.
        committed: The group's position in it.

    Raises:
        LogDamaged: The model topic lacks labels that the group has committed.
        Restart: A delta is missing.
    """
    replica.follow_to_end()
    learned = replica.checkpoint(labels.partition).labels_next
    if learned < committed > log.start_offset(labels):
        raise LogDamaged(
            f"{labels}: the group has committed up to {committed}, but the model has learned up to {learned}; records "
            f"of the topic {MODEL} are missing, or the group was set forward; see docs/guarantees.md"
        )
