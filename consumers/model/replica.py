"""A copy of the model that follows the `model` topic: workers learn with it, monitors and dashboards read it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from ..errors import BadRecord, LogDamaged, Restart
from ..log.base import Log, ProducerRecord, Record
from ..records.skipped import SkippedRecords
from ..runtime.collection import no_collection
from ..settings import Settings
from .changelog import MODEL_PARTITION, Delta, Manifest, Snapshot, read_record, snapshot_records
from .changelog_reader import Changelog, read_changelog, read_tail
from .factory import kind_of
from .replica_state import ReplicaState
from .secret import Secret, secret_record
from .sums import SUMS_PARTITION, read_sum

SUMS_AT_ONCE = 8
MOST_OWN_BYTES = 50_000_000
"""A replica whose owner has committed more bytes than this that no sum covers yet reads deltas instead of sums."""


class Replica(ReplicaState):
    """The model as it is on the log.

    A replica loads the `model` topic and then follows it, or, with `[learner] follow = "sums"`, the sums of its deltas
    (`sums.py`). Each sum states which offsets of `model` it covers. If a sum begins where the replica is, the replica
    applies it, without the owner's own deltas in it; otherwise it reads the deltas. So all replicas reach the same
    counts, whatever they follow and whatever happens to the sums.

    Attributes:
        skipped: Counts records on the topics that do not belong to the changelog.
    """

    def __init__(self, log: Log, settings: Settings, skipped: SkippedRecords) -> None:
        super().__init__(settings)
        self._log = log
        self._next_offset = 0
        self._next_sum = log.end_offset(SUMS_PARTITION) if settings.learner.follow == "sums" else None
        self.skipped = skipped

    @classmethod
    def load(cls, log: Log, settings: Settings, skipped: SkippedRecords | None = None) -> Replica:
        """Load the model from the topic: the newest snapshot and the deltas after it, up to the current end.

        Raises:
            LogDamaged: A delta is missing.
            UnknownFormat: A record is of another version.
            OtherModel: The model on the log is not the one of the settings.
        """
        skipped = skipped or SkippedRecords()
        why = ""
        # The whole topic is read twice: during a read, a new snapshot may replace deltas that were still to be read.
        for read in (read_tail, read_changelog, read_changelog):
            replica = cls(log, settings, skipped)
            try:
                with no_collection():
                    replica.restore(read(log, skipped))
                return replica
            except Restart as error:
                why = str(error)
        raise LogDamaged(f"{why}; docs/guarantees.md says what to do")

    def follow(self) -> None:
        """Apply the new deltas or sums.

        Raises Restart if a delta is missing, the topic was recreated or a model was loaded into it, and UnknownFormat
        and OtherModel as in `load`.
        """
        if self._next_sum is None or self.model is None or self.own_bytes > MOST_OWN_BYTES:
            self.follow_deltas()
            return
        with no_collection():
            while batch := self._log.read({SUMS_PARTITION: self._next_sum}, SUMS_AT_ONCE):
                for record in batch:
                    self._next_sum = record.offset + 1
                    with self.skipped.unless_readable(record):
                        self._apply_sum_record(record)

    def follow_deltas(self, timeout_s: float = 0.0) -> None:
        """Like `follow`, with deltas only; wait up to `timeout_s` seconds for the first."""
        while batch := self._log.read({MODEL_PARTITION: self._next_offset}, timeout_s=timeout_s):
            self._apply_records(batch)
            timeout_s = 0.0

    def follow_to_end(self) -> None:
        """Apply all deltas up to the current end of the log, however long it takes. Raises like `follow`."""
        self._apply_records(self._log.scan(MODEL_PARTITION, self._next_offset))

    def ensure_key(self) -> None:
        """Write a secret for the model's hash if the log has none; the one at the lowest offset counts.

        Raises OtherModel if that is the secret of another kind of model: of two processes that begin a log at the same
        moment, one decides.
        """
        if self.model is None:
            learner = self._settings.learner
            self._log.append([secret_record(kind_of(learner), learner.grams)])
            while self.model is None:
                self.follow_deltas(timeout_s=1.0)

    def snapshot_records(self) -> list[ProducerRecord]:
        """The records of a new snapshot of the current state, with tombstones of deltas that are no longer needed."""
        # Packed entries are copied as bytes, because decoding and encoding a hundred thousand of them takes long.
        entries = {partition: ledger.entries.encoded() for partition, ledger in self.ledgers.items()}
        mails = {partition: tuple(ledger.evicted_mails) for partition, ledger in self.ledgers.items()}
        model = self.require_model().to_bytes()
        decayed = (self.decayed_to, self.halvings)
        snapshot = Snapshot(model, entries, self.evicted, mails, self.forgotten, self.loaded, *decayed)
        return snapshot_records(self.manifest, dict(self.checkpoints), snapshot, self._next_offset)

    def restore(self, changelog: Changelog) -> None:
        """Load a changelog into a replica that has applied nothing yet. Raises like `follow`."""
        self._next_offset = changelog.next_offset
        newest = changelog.snapshot(self._settings.learner, self.skipped)
        if changelog.first_offset > (newest.manifest.next_offset if newest is not None else 0):
            raise Restart(f"{MODEL_PARTITION}: no whole snapshot from {changelog.first_offset} on")
        if changelog.secret is not None:
            self.begin(changelog.secret)
        if newest is not None:
            self.restore_snapshot(newest)
        for record, delta in changelog.deltas_after(self.checkpoints, self.skipped):
            with self.skipped.unless_readable(record):
                self.apply_delta(delta, record)

    def _apply_records(self, records: Iterable[Record]) -> None:
        with no_collection():
            for record in records:
                self._next_offset = record.offset + 1
                with self.skipped.unless_readable(record):
                    self._apply_record(record)

    def _apply_record(self, record: Record) -> None:
        content = read_record(record)
        if isinstance(content, Delta):
            self.apply_delta(content, record)
        elif isinstance(content, Manifest):
            self.note_manifest(content)
        elif isinstance(content, Secret):
            self.begin(content)

    def _apply_sum_record(self, record: Record) -> None:
        total = read_sum(record)
        if total.next_offset <= self._next_offset:
            return
        if total.next_offset > self._log.end_offset(MODEL_PARTITION):
            raise BadRecord("bad-range", f"a sum up to {total.next_offset}, but {MODEL_PARTITION} ends before that")
        if total.first_offset != self._next_offset or not self.apply_sum(total, record.timestamp):
            deltas = self._log.scan(MODEL_PARTITION, self._next_offset)
            self._apply_records(takewhile(lambda delta: delta.offset < total.next_offset, deltas))
        self._next_offset = max(self._next_offset, total.next_offset)
