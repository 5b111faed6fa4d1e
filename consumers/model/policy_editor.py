"""Changes the policy on the log, shows its history, and undoes changes."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from ..errors import BadRecord
from ..log.base import Log
from ..records.policy import PolicyRecord, PolicyValues, policy_record
from ..records.sanitize import show_safely
from ..records.skipped import SkippedRecords
from ..records.sources import SHOWN_SOURCE_CHARS
from ..settings import LearnerSettings
from .policy import PolicyFollower, policy_after


class PolicyChange(msgspec.Struct, frozen=True):
    """A policy change to show to people. A `policy` of None means the workers' own settings. `source` is safe to show;
    `timestamp` is in seconds since 1970."""

    offset: int
    policy: PolicyValues | None
    source: str
    timestamp: float


class PolicyState(msgspec.Struct, frozen=True):
    """The policy `in_force`, set by the change at `offset` (-1: by the settings), and the changes, newest first."""

    in_force: PolicyValues
    offset: int
    changes: list[PolicyChange]


class PolicyEditor:
    """Changes the policy on the log; `clock` returns seconds since 1970."""

    def __init__(self, log: Log, learner: LearnerSettings, clock: Callable[[], float] = time.time) -> None:
        self._log = log
        self._learner = learner
        self._clock = clock

    def state(self) -> PolicyState:
        """The current policy and its history."""
        follower = self._read()
        changes = [
            PolicyChange(offset, record.policy, show_safely(record.source, SHOWN_SOURCE_CHARS), record.timestamp)
            for offset, record in reversed(follower.changes)
        ]
        return PolicyState(follower.values, follower.offset, changes)

    def change(self, policy: PolicyValues | None, source: str) -> PolicyState:
        """Put a policy into force, and return the new state.

        Args:
            policy: The policy; None for the workers' own settings.
            source: Who changes it, at most `records.policy.MAX_CHANGE_SOURCE_CHARS` characters.

        Raises:
            BadRecord: The values contradict each other or do not fit the model of the settings, a value is out of
                range, or the source is too long.
        """
        change = PolicyRecord(policy, source, self._clock())
        policy_after(change, self._learner)
        self._log.append([policy_record(change, self._read().last_slot)])
        return self.state()

    def undo(self, source: str, offset: int | None = None) -> PolicyState:
        """Restore the policy from before the newest change, and return the new state.

        Args:
            source: Who undoes it, as for `change`.
            offset: The offset of the change that is meant; None for the newest one.

        Raises:
            BadRecord: There was no change, the newest one is not the one that is meant, or the source is too long.
        """
        follower = self._read()
        if not follower.changes:
            raise BadRecord("no-change", "nobody has changed the policy, so there is nothing to undo")
        if offset not in (None, follower.offset):
            raise BadRecord("other-change", "the policy was changed again meanwhile; undo that change first")
        before = follower.changes[-2].record.policy if len(follower.changes) > 1 else None
        self._log.append([policy_record(PolicyRecord(before, source, self._clock()), follower.last_slot)])
        return self.state()

    def _read(self) -> PolicyFollower:
        return PolicyFollower(self._log, self._learner, SkippedRecords())
