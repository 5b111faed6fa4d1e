"""The policy in force: the one in the settings, until somebody changes it on the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from stream_nb.mail_nb.decision import Policy

from ..errors import BadRecord, UserError
from ..log.base import Log, Record
from ..records.policy import KEPT, POLICY_PARTITION, PolicyRecord, PolicyValues, read_policy, slot_of
from ..records.skipped import SkippedRecords
from ..settings import LearnerSettings
from .factory import new_policy

OF_SETTINGS = -1
"""Offset that stands for the settings' own policy, which has no record."""


class StoredChange(NamedTuple):
    """A policy change and its offset on `policy`."""

    offset: int
    record: PolicyRecord


class PolicyFollower:
    """Follows the changes of the policy; before the first one that of the settings applies. Raises UserError if these
    contradict each other."""

    def __init__(self, log: Log, learner: LearnerSettings, skipped: SkippedRecords) -> None:
        self._log = log
        self._learner = learner
        self._skipped = skipped
        self._next_offset = log.start_offset(POLICY_PARTITION)
        self.changes: deque[StoredChange] = deque(maxlen=KEPT)
        self.last_slot = -1
        self.policy = new_policy(learner)
        self.follow_to_end()

    @property
    def offset(self) -> int:
        """The offset of the change in force; `OF_SETTINGS` before the first change."""
        return self.changes[-1].offset if self.changes else OF_SETTINGS

    @property
    def values(self) -> PolicyValues:
        """The values of the policy in force."""
        if self.changes and (newest := self.changes[-1].record.policy) is not None:
            return newest
        own = self._learner
        return PolicyValues(own.threshold, own.lose_at_most, own.false_positive_cost, own.unsure)

    def follow(self) -> None:
        """Apply the changes that have been received, without waiting."""
        self._apply(self._log.read({POLICY_PARTITION: self._next_offset}))

    def follow_to_end(self) -> None:
        """Apply all changes up to the current end of the log, however long it takes."""
        self._apply(self._log.scan(POLICY_PARTITION, self._next_offset))

    def _apply(self, records: Iterable[Record]) -> None:
        for record in records:
            self._next_offset = record.offset + 1
            with self._skipped.unless_readable(record):
                change = read_policy(record)
                self.policy = policy_after(change, self._learner)
                self.changes.append(StoredChange(record.offset, change))
                self.last_slot = slot_of(record.key) or 0


def policy_of(values: PolicyValues, learner: LearnerSettings) -> Policy:
    """Create the policy with these values; raises UserError for contradictory values."""
    return new_policy(msgspec.structs.replace(learner, **msgspec.structs.asdict(values)))


def policy_after(change: PolicyRecord, learner: LearnerSettings) -> Policy:
    """The policy after a change; raises BadRecord for a change that does not fit the model of the settings."""
    try:
        return policy_of(change.policy, learner) if change.policy is not None else new_policy(learner)
    except UserError as error:
        raise BadRecord("bad-policy", str(error)) from error
