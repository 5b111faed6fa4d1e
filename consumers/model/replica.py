"""A copy of the model that follows the `model` topic: workers learn on it, monitors and dashboards read it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import takewhile
from typing import cast

from ..errors import BadRecord, LogDamaged, Restart
from ..log.base import Log, ProducerRecord, Record
from ..records.schemas import MODEL
from ..records.skipped import SkippedRecords
from ..runtime.collection import no_collection
from ..settings import Settings
from .changelog import PLACE, Delta, Manifest, Snapshot, is_chunk, read_record, snapshot_records
from .changelog_reader import Changelog, StoredDelta, read_changelog, read_tail
from .ledger import Entry, LearnedLabel
from .replica_state import ReplicaState
from .sums import PLACE as SUMS_PLACE
from .sums import read_sum

KEY_BYTES = 32
SUMS_AT_ONCE = 8
MOST_OWN_BYTES = 50_000_000
"""Who has committed so much that no sum has yet covered waits for sums no longer, and reads deltas."""


class Replica(ReplicaState):
    """The model as the log has it.

    It begins with what the `model` topic has, and follows that, or with `[learner] follow = "sums"` the sums of its
    deltas (`sums.py`). Each sum says which offsets of `model` it covers. One that goes on where this replica is, it
    takes over; what it has committed itself is in there once more, and is taken out. In place of any other it reads the
    deltas. So all replicas come to the same counts, whatever they follow and whatever becomes of the sums.

    Attributes:
        skipped: Counts the records on the topics that are not of the changelog.
    """

    def __init__(self, log: Log, settings: Settings, skipped: SkippedRecords) -> None:
        super().__init__(settings)
        self._log = log
        self._next_offset = 0
        self._sums = SumReader(log) if settings.learner.follow == "sums" else None
        self.skipped = skipped

    @classmethod
    def load(cls, log: Log, settings: Settings, skipped: SkippedRecords | None = None) -> Replica:
        """Read the topic, from where its newest snapshot needs it to its end as of now.

        Args:
            log: The log.
            settings: How a new model reads its counts, and how much ledgers remember.
            skipped: Counts the records that are not of the changelog; None for a count of its own.

        Raises:
            LogDamaged: A delta is missing.
            UnknownFormat: A record is of another version.
            OtherModel: The model on the log is not the one of the settings.
        """
        skipped = skipped or SkippedRecords()
        # Twice whole: while it was read, deltas may have given way to a snapshot, which was not yet there.
        with no_collection():
            for read in (read_tail, read_changelog):
                with suppress(Restart):
                    replica = cls(log, settings, skipped)
                    replica.restore(read(log, skipped))
                    return replica
            replica = cls(log, settings, skipped)
            try:
                replica.restore(read_changelog(log, skipped))
            except Restart as error:
                raise LogDamaged(f"{error}; docs/guarantees.md says what to do") from error
            return replica

    def follow(self) -> list[LearnedLabel]:
        """Apply what has come since, of deltas or of sums.

        Returns the messages whose label in the model changed. Raises Restart where a delta is missing, or the topic
        begins anew, and UnknownFormat and OtherModel as `load`.
        """
        if self._sums is None or self.model is None or self.own_bytes > MOST_OWN_BYTES:
            return self.follow_deltas()
        learned: list[LearnedLabel] = []
        with no_collection():
            for record in self._sums.read():
                try:
                    learned += self._apply_sum_record(record)
                except BadRecord as error:
                    self.skipped.skip(record, error)
        return learned

    def follow_deltas(self, timeout_s: float = 0.0) -> list[LearnedLabel]:
        """Apply the deltas that have come since, waiting up to `timeout_s` seconds for the first. As `follow` else."""
        learned: list[LearnedLabel] = []
        while batch := self._log.read({PLACE: self._next_offset}, timeout_s=timeout_s):
            learned += self._apply_records(batch)
            timeout_s = 0.0
        return learned

    def follow_to_end(self) -> None:
        """Apply all that is on the log as of now, however long that takes. Raises as `follow` does."""
        self._apply_records(self._log.scan(PLACE, self._next_offset))

    def ensure_key(self) -> None:
        """Write a secret for the model's hash when the log holds none; the one at the lowest offset counts."""
        if self.model is None:
            name = b"key/" + secrets.token_hex(8).encode()
            self._log.append([ProducerRecord(MODEL, name, secrets.token_bytes(KEY_BYTES), partition=0)])
            while self.model is None:
                self.follow_deltas(timeout_s=1.0)

    def snapshot_records(self) -> list[ProducerRecord]:
        """The records of a new snapshot of all that has been applied, with tombstones of deltas no longer needed."""
        # A hundred thousand entries are not made to be written again at once.
        encoded = {partition: ledger.entries.encoded() for partition, ledger in self.ledgers.items()}
        entries = cast("dict[int, tuple[Entry, ...]]", encoded)
        mails = {partition: tuple(ledger.evicted_mails) for partition, ledger in self.ledgers.items()}
        model = self.require_model().to_bytes()
        decayed = (self.decayed_to, self.halvings)
        snapshot = Snapshot(model, entries, self.evicted, mails, self.forgotten, self.loaded, *decayed)
        return snapshot_records(self.manifest, dict(self.checkpoints), snapshot, self._next_offset)

    def restore(self, changelog: Changelog) -> None:
        """Take over a changelog; for a replica that has applied nothing yet. Raises as `follow` does."""
        self._next_offset = changelog.next_offset
        newest = changelog.newest_snapshot(self._settings.learner, self.skipped)
        if changelog.first_offset > (newest.manifest.next_offset if newest is not None else 0):
            raise Restart(f"{PLACE}: no whole snapshot from {changelog.first_offset} on")
        if changelog.secret is not None:
            self.start(changelog.secret)
        if newest is not None:
            self.restore_snapshot(newest)
        for stored in changelog.deltas_after(self.checkpoints, self.skipped):
            try:
                self.apply_delta(stored)
            except BadRecord as error:
                self.skipped.skip(stored.record, error)

    def _apply_records(self, records: Iterable[Record]) -> list[LearnedLabel]:
        learned: list[LearnedLabel] = []
        with no_collection():
            for record in records:
                self._next_offset = record.offset + 1
                try:
                    learned += self._apply_record(record)
                except BadRecord as error:
                    self.skipped.skip(record, error)
        return learned

    def _apply_record(self, record: Record) -> list[LearnedLabel]:
        content = read_record(record)
        if isinstance(content, Delta):
            return self.apply_delta(StoredDelta(content, record, len(record.value or b"")))
        if isinstance(content, Manifest):
            self.note_manifest(content)
        elif isinstance(content, bytes) and not is_chunk(record):
            self.start(content)
        return []

    def _apply_sum_record(self, record: Record) -> list[LearnedLabel]:
        total = read_sum(record)
        if total.next_offset <= self._next_offset:
            return []
        if total.next_offset > self._log.end_offset(PLACE):
            raise BadRecord("bad-range", f"a sum up to {total.next_offset}, where {PLACE} ends before")
        learned = self.apply_sum(total, record.timestamp) if total.first_offset == self._next_offset else None
        if learned is None:
            deltas = self._log.scan(PLACE, self._next_offset)
            learned = self._apply_records(takewhile(lambda delta: delta.offset < total.next_offset, deltas))
        self._next_offset = max(self._next_offset, total.next_offset)
        return learned


class SumReader:
    """Reads the sums that are written from now on."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._next_offset = log.end_offset(SUMS_PLACE)

    def read(self) -> Iterator[Record]:
        """Those that have come since. Raises Restart where the topic begins anew."""
        while batch := self._log.read({SUMS_PLACE: self._next_offset}, SUMS_AT_ONCE):
            for record in batch:
                self._next_offset = record.offset + 1
                yield record
