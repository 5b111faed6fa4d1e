"""Poll as a member of a group, and go on polling while the group assigns its partitions anew.

kafka-python (3.0) throws away an assignment that comes between two polls, and joins anew, as all others then must where
this member leads the group. A busy member, whose polls are short and far between, would never get one.
"""

from __future__ import annotations

import time
from typing import Any

from .client_types import Consumer, Message, Partition
from .clients import ConsumerRebalanceListener
from .polling import poll_many

JOIN_S = 5.0
"""How long a poll goes on until it has an assignment; the caller may want to stop."""


class Assignments(ConsumerRebalanceListener):
    """Counts assignments, and tells whether one is to come; it runs on the client's thread and does nothing else."""

    def __init__(self) -> None:
        self.changes = 0
        """How many there were, maybe of the same partitions."""
        self.joining = False

    def on_partitions_revoked(self, revoked: object) -> None:
        """The member is about to join. Nothing is in flight here: outputs are committed before the next poll.

        Args:
            revoked: The partitions it had.
        """
        self.joining = True

    def on_partitions_assigned(self, assigned: object) -> None:
        """The member has joined.

        Args:
            assigned: The partitions it has now.
        """
        self.changes += 1
        self.joining = False

    def on_partitions_lost(self, lost: object) -> None:
        """The group has gone on without the member, which is about to join again. The next commit fails.

        Args:
            lost: The partitions it had.
        """
        self.joining = True


def poll_member(
    consumer: Consumer, connection: dict[str, Any], assignments: Assignments, timeout_s: float, limit: int
) -> dict[Partition, list[Message]]:
    """As `poll_many`; where the member is about to join, it waits `JOIN_S` at most until it has joined.

    Args:
        consumer: A member of a group that tells its assignments to `assignments`.
        connection: As for `poll_many`.
        assignments: What it was assigned.
        timeout_s: As for `poll_many`.
        limit: As for `poll_many`.

    Raises:
        KafkaError: As `poll_many`.
    """
    polled = poll_many(consumer, connection, timeout_s, limit)
    deadline = time.monotonic() + JOIN_S
    while assignments.joining and (left_s := deadline - time.monotonic()) > 0:
        polled = poll_many(consumer, connection, left_s, limit)
    return polled
