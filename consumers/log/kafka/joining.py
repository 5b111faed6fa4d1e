"""Poll as a member of a group, and wait for the assignment during a rebalance.

kafka-python (3.0) discards an assignment that arrives between two polls, and rejoins; if this member leads the group,
all others then have to rejoin, too. A busy member, whose polls are short and far apart, would never get an assignment.
A long poll would get it, but ends only with records or its timeout. So the wait is for the library's coordinator, which
a poll asks first: it returns once the member has joined.
"""

from __future__ import annotations

from typing import Any

from .client_types import Consumer, Message, Partition
from .clients import ConsumerRebalanceListener
from .connection import Connection
from .polling import poll_many

JOIN_S = 5.0
"""Longest wait for an assignment; it is bounded because the caller may want to stop."""


class Assignments(ConsumerRebalanceListener):
    """Counts assignments, and knows whether one is pending; its methods run on the client's thread."""

    def __init__(self) -> None:
        self.changes = 0
        """The number of assignments so far, including those of the same partitions."""
        self.joining = False

    def on_partitions_revoked(self, revoked: object) -> None:
        """The member, which had the partitions `revoked`, is about to join. Nothing is in flight, because outputs are
        committed before the next poll."""
        self.joining = True

    def on_partitions_assigned(self, assigned: object) -> None:
        """The member has joined, and has the partitions `assigned`."""
        self.changes += 1
        self.joining = False

    def on_partitions_lost(self, lost: object) -> None:
        """The group has dropped the member, which had the partitions `lost` and is about to rejoin. The next commit
        fails."""
        self.joining = True


def poll_member(
    consumer: Consumer, connection: Connection, assignments: Assignments, timeout_s: float, limit: int
) -> dict[Partition, list[Message]]:
    """Like `poll_many` (same `timeout_s` and `limit`, same errors); if the member has to join, return nothing once it
    has joined, or after `JOIN_S`."""
    internals: Any = consumer
    coordinator: Any = internals._coordinator
    if not coordinator.need_rejoin():
        polled = poll_many(consumer, connection, timeout_s, limit)
        if not assignments.joining:
            return polled
    coordinator.poll(timeout_ms=round(JOIN_S * 1000))
    return {}
