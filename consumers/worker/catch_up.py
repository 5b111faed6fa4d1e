"""Brings the replica of a worker up to what others have learned: the last owner of a partition, and other workers."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import LogDamaged, UserError
from ..log.base import Log, TopicPartition
from ..model.replica import Replica
from ..records.schemas import EMAILS, LABELS, MODEL


def catch_up(log: Log, replica: Replica, labels: TopicPartition, committed: int) -> None:
    """Follow the deltas to the end; all deltas of the last owner must be readable (`wait_for_outputs`). `committed` is
    the group's position in the partition of `labels`.

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


def follow_others(replica: Replica, held: Iterable[int]) -> int | None:
    """Follow what other workers have learned; return a partition that others wrote, too, of those that this worker has
    (`held`), if any. Raises like `Replica.follow`."""
    before = [(partition, replica.checkpoint(partition)) for partition in held]
    replica.follow()
    return next((partition for partition, checkpoint in before if replica.checkpoint(partition) != checkpoint), None)


def other_group(partition: int, group: str) -> UserError:
    """The error for a `partition` that workers of another group than this worker's `group` process, too."""
    return UserError(
        f"partition {partition} of {EMAILS} and {LABELS} is processed by a worker of a group other than {group}, too: "
        "start all workers of a log with the same [worker] group; for another model of the same mail, copy the topics "
        "to another [kafka] prefix"
    )
