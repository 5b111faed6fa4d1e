"""The policy in force: the one in the settings, until somebody changes it on the log."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from stream_nb.mail_nb.decision import Policy

from ..errors import BadRecord, UserError
from ..log.base import Log
from ..records.policy import (
    KEPT,
    POLICY_PARTITION,
    PolicyRecord,
    PolicyValues,
    policy_record,
    read_policy,
    slot_of,
)
from ..records.sanitize import show_safely
from ..records.skipped import SkippedRecords
from ..records.sources import SHOWN_SOURCE_CHARS
from ..settings import LearnerSettings
from .factory import new_policy

OF_SETTINGS = -1
"""Offset that stands for the settings' own policy, which has no record."""
READ_S = 1.0


class StoredChange(NamedTuple):
    """A policy change and its offset on `policy`."""

    offset: int
    record: PolicyRecord


class PolicyFollower:
    """Follows the changes of the policy.

    Args:
        log: The log.
        learner: The settings, whose policy applies before the first change.
        skipped: Counts records that are not policy changes.

    Raises:
        UserError: The settings contradict each other.
    """

    def __init__(self, log: Log, learner: LearnerSettings, skipped: SkippedRecords) -> None:
        self._log = log
        self._learner = learner
        self._skipped = skipped
        self._next_offset = log.start_offset(POLICY_PARTITION)
        self.changes: deque[StoredChange] = deque(maxlen=KEPT)
        self.last_slot = -1
        self.policy = new_policy(learner)
        end = log.end_offset(POLICY_PARTITION)
        while self._next_offset < end and self.follow(READ_S):
            pass

    @property
    def offset(self) -> int:
        """The offset of the change in force; `OF_SETTINGS` before the first change."""
        return self.changes[-1].offset if self.changes else OF_SETTINGS

    @property
    def values(self) -> PolicyValues:
        """The values of the policy in force."""
        newest = self.changes[-1].record.policy if self.changes else None
        return newest if newest is not None else values_of(self._learner)

    def follow(self, timeout_s: float = 0.0) -> bool:
        """Apply new changes, waiting up to `timeout_s` seconds for them; returns whether there were new records."""
        records = self._log.read({POLICY_PARTITION: self._next_offset}, timeout_s=timeout_s)
        for record in records:
            self._next_offset = record.offset + 1
            try:
                change = read_policy(record)
                policy = policy_after(change, self._learner)
            except BadRecord as error:
                self._skipped.skip(record, error)
                continue
            self.changes.append(StoredChange(record.offset, change))
            self.last_slot = slot_of(record.key) or 0
            self.policy = policy
        return bool(records)


def values_of(learner: LearnerSettings) -> PolicyValues:
    """The policy values of the settings."""
    return PolicyValues(learner.threshold, learner.lose_at_most, learner.false_positive_cost, learner.unsure)


def policy_of(values: PolicyValues, learner: LearnerSettings) -> Policy:
    """Create the policy with these values; raises UserError for contradictory values."""
    return new_policy(msgspec.structs.replace(learner, **msgspec.structs.asdict(values)))


def policy_after(change: PolicyRecord, learner: LearnerSettings) -> Policy:
    """The policy after a change; raises BadRecord for a change that does not fit the model of the settings."""
    try:
        return policy_of(change.policy, learner) if change.policy is not None else new_policy(learner)
    except UserError as error:
        raise BadRecord("bad-policy", str(error)) from error


class PolicyChange(msgspec.Struct, frozen=True):
    """A policy change to show to people. A `policy` of None means the workers' own settings. `source` is safe to show;
    `timestamp` is in seconds since 1970."""

    offset: int
    policy: PolicyValues | None
    source: str
    timestamp: float


class PolicyState(msgspec.Struct, frozen=True):
    """The policy `in_force`, set by the change at `offset` (-1: by the settings, `of_settings`), and the changes,
    newest first."""

    in_force: PolicyValues
    offset: int
    of_settings: PolicyValues
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
        return PolicyState(follower.values, follower.offset, values_of(self._learner), changes)

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

    def undo(self, source: str) -> PolicyState:
        """Restore the policy from before the newest change, and return the new state.

        Args:
            source: Who undoes it, as for `change`.

        Raises:
            BadRecord: There was no change, or the source is too long.
        """
        follower = self._read()
        if not follower.changes:
            raise BadRecord("no-change", "nobody has changed the policy, so there is nothing to undo")
        before = follower.changes[-2].record.policy if len(follower.changes) > 1 else None
        self._log.append([policy_record(PolicyRecord(before, source, self._clock()), follower.last_slot)])
        return self.state()

    def _read(self) -> PolicyFollower:
        return PolicyFollower(self._log, self._learner, SkippedRecords())
