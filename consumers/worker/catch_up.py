"""Brings the replica of a worker that takes over a partition up to the labels that its last owner has learned."""

from __future__ import annotations

import time

from ..errors import LogDamaged, Restart
from ..log.base import Log, TopicPartition
from ..model.changelog import MODEL_PARTITION
from ..model.replica import Replica
from ..records.schemas import MODEL

CATCH_UP_S = 30.0


def catch_up(log: Log, replica: Replica, labels: TopicPartition, committed: int) -> None:
    """Follow the deltas until they reach the group's position; the last one may become readable a moment after it.

    Args:
        log: The log.
        replica: The worker's replica.
        labels: The partition of `labels`.
        committed: The group's position in it.

    Raises:
        LogDamaged: The model topic, read to its end, lacks labels that the group has committed.
        Restart: It lacks them, and an open transaction may still add them; or a delta is missing.
    """
    deadline = time.monotonic() + CATCH_UP_S
    replica.follow_deltas()
    while replica.checkpoint(labels.partition).labels_next < committed > log.start_offset(labels):
        if time.monotonic() > deadline:
            _check_learned(log, replica, labels, committed)
        replica.follow_deltas(timeout_s=0.2)


def _check_learned(log: Log, replica: Replica, labels: TopicPartition, committed: int) -> None:
    open_transaction = log.has_open_transaction(MODEL_PARTITION)
    replica.follow_to_end()
    learned = replica.checkpoint(labels.partition).labels_next
    if learned >= committed:
        return
    behind = f"{labels}: the group has committed up to {committed}, but the model has learned up to {learned}"
    if open_transaction:
        raise Restart(
            f"{behind}; the topic {MODEL} has an open transaction. If this happens again, end the transaction with "
            "kafka-transactions (docs/guarantees.md)"
        )
    raise LogDamaged(
        f"{behind}; records of the topic {MODEL} are missing, or the group was set forward; see docs/guarantees.md"
    )
