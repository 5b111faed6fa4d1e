"""The policy in force: that of the settings until somebody changes it on the log."""

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
from ..settings import LearnerSettings
from .factory import new_policy

OF_SETTINGS = -1
"""Stands for the settings' own policy where others have the offset of a record."""
READ_S = 1.0
SOURCE_CHARS = 60


class StoredChange(NamedTuple):
    """A change and its offset on `policy`."""

    offset: int
    record: PolicyRecord


class PolicyFollower:
    """Follows the changes of the policy.

    Args:
        log: The log.
        learner: The settings, whose policy counts before the first change.
        skipped: Counts records that are no change of a policy.

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
        """Where the change in force is; `OF_SETTINGS` before the first."""
        return self.changes[-1].offset if self.changes else OF_SETTINGS

    @property
    def values(self) -> PolicyValues:
        """The settings of the policy in force."""
        newest = self.changes[-1].record.policy if self.changes else None
        return newest if newest is not None else values_of(self._learner)

    def follow(self, timeout_s: float = 0.0) -> bool:
        """Take in what is new, waiting up to `timeout_s` seconds for it; returns whether anything was."""
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
    """The policy of the settings."""
    return PolicyValues(learner.threshold, learner.lose_at_most, learner.false_positive_cost, learner.unsure)


def policy_of(values: PolicyValues, learner: LearnerSettings) -> Policy:
    """How scores become labels with these values; raises UserError for values that contradict each other."""
    return new_policy(msgspec.structs.replace(learner, **msgspec.structs.asdict(values)))


def policy_after(change: PolicyRecord, learner: LearnerSettings) -> Policy:
    """The policy after a change; raises BadRecord for one that does not fit the model of the settings."""
    try:
        return policy_of(change.policy, learner) if change.policy is not None else new_policy(learner)
    except UserError as error:
        raise BadRecord("bad-policy", str(error)) from error


class PolicyChange(msgspec.Struct, frozen=True):
    """A change for people to read: `policy` None says that the workers' own settings count. `source` is safe to show;
    `timestamp` is in seconds since 1970."""

    offset: int
    policy: PolicyValues | None
    source: str
    timestamp: float


class PolicyState(msgspec.Struct, frozen=True):
    """The policy `in_force`, by the change at `offset` (-1: the settings' own, `of_settings`), and the changes, the
    newest first."""

    in_force: PolicyValues
    offset: int
    of_settings: PolicyValues
    changes: list[PolicyChange]


class PolicyEditor:
    """Changes the policy on the log; `clock` gives seconds since 1970."""

    def __init__(self, log: Log, learner: LearnerSettings, clock: Callable[[], float] = time.time) -> None:
        self._log = log
        self._learner = learner
        self._clock = clock

    def state(self) -> PolicyState:
        """The policy as of now."""
        return self._state(self._read())

    def change(self, policy: PolicyValues | None, source: str) -> PolicyState:
        """Let a policy count from now on, and return what then holds.

        Args:
            policy: The policy; None for that of the workers' own settings.
            source: Who says so, in at most `records.policy.MAX_SOURCE_CHARS` characters.

        Raises:
            BadRecord: The values contradict each other or do not fit the model of the settings, or one or the source
                is out of its range.
        """
        change = PolicyRecord(policy, source, self._clock())
        policy_after(change, self._learner)
        self._append(self._read().last_slot, change)
        return self.state()

    def undo(self, source: str) -> PolicyState:
        """Let the policy count again that did before the newest change, and return what then holds.

        Args:
            source: Who says so, as for `change`.

        Raises:
            BadRecord: There was no change, or the source is too long.
        """
        follower = self._read()
        if not follower.changes:
            raise BadRecord("no-change", "nobody has changed the policy, so there is nothing to undo")
        before = follower.changes[-2].record.policy if len(follower.changes) > 1 else None
        self._append(follower.last_slot, PolicyRecord(before, source, self._clock()))
        return self.state()

    def _read(self) -> PolicyFollower:
        return PolicyFollower(self._log, self._learner, SkippedRecords())

    def _append(self, last_slot: int, change: PolicyRecord) -> None:
        self._log.append([policy_record(change, last_slot)])

    def _state(self, follower: PolicyFollower) -> PolicyState:
        changes = [
            PolicyChange(offset, record.policy, show_safely(record.source, SOURCE_CHARS), record.timestamp)
            for offset, record in reversed(follower.changes)
        ]
        return PolicyState(follower.values, follower.offset, values_of(self._learner), changes)
