"""A copy of the model that follows the `model` topic: workers learn on it, monitors and dashboards read it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from stream_nb import SnapshotError

from ..errors import BadRecord, LogDamaged, Restart
from ..log.base import Log, ProducerRecord, Record
from ..records.schemas import MODEL
from ..records.skipped import SkippedRecords
from ..runtime.collection import no_collection
from ..settings import Settings
from .changelog import PLACE, Checkpoint, Delta, Manifest, Snapshot, is_chunk, read_record, snapshot_records
from .changelog_reader import Changelog, StoredDelta, StoredSnapshot, read_changelog
from .factory import new_model, secret_of
from .forgetting import give_back_rows
from .ledger import LearnedLabel, Ledger
from .stream_model import StreamModel

KEY_BYTES = 32
DAY_S = 86_400


class Replica:
    """The model as the log has it.

    Attributes:
        model: The model; None until the log holds the secret of its hash, which the first worker writes. It is the
            same object for good: what comes is merged into it.
        ledgers: The ledgers by partition.
        checkpoints: How far each partition's deltas have been applied.
        evicted: Updates in the model whose entries were evicted.
        forgotten: Features that were taken out of the model, for want of room or with age.
        decayed_to: Labels at which the last decay was due; 0 when there was none.
        loaded: Whether the log began with a model.
        manifest: That of the newest snapshot; number 0 when there is none.
        delta_bytes: Bytes of the deltas since that snapshot.
        skipped: Counts the records on the topic that are not of the changelog.
    """

    def __init__(self, log: Log, settings: Settings, skipped: SkippedRecords) -> None:
        self._log = log
        self._settings = settings
        self._next_offset = 0
        self._kept_rows = 0
        self.model: StreamModel | None = None
        self.ledgers: dict[int, Ledger] = {}
        self.checkpoints: dict[int, Checkpoint] = {}
        self.evicted = 0
        self.forgotten = 0
        self.decayed_to = 0
        self.loaded = False
        self.manifest = Manifest()
        self.delta_bytes = 0
        self.skipped = skipped

    @classmethod
    def load(cls, log: Log, settings: Settings, skipped: SkippedRecords | None = None) -> Replica:
        """Read the topic to its end as of now.

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
        with no_collection():
            replica = cls(log, settings, skipped)
            try:
                replica.restore(read_changelog(log, skipped))
            except Restart:
                # While it was read, deltas may have given way to a snapshot, which was not yet there.
                replica = cls(log, settings, skipped)
                try:
                    replica.restore(read_changelog(log, skipped))
                except Restart as error:
                    raise LogDamaged(f"{error}; docs/guarantees.md says what to do") from error
            return replica

    def follow(self, timeout_s: float = 0.0) -> list[LearnedLabel]:
        """Apply what has come since, waiting up to `timeout_s` seconds for the first record.

        Returns the messages whose label in the model changed. Raises Restart where a delta is missing, or the topic
        begins anew, and UnknownFormat and OtherModel as `load`.
        """
        learned: list[LearnedLabel] = []
        while batch := self._log.read({PLACE: self._next_offset}, timeout_s=timeout_s):
            learned += self._apply_records(batch)
            timeout_s = 0.0
        return learned

    def follow_to_end(self) -> None:
        """Apply all that is on the log as of now, however long that takes. Raises as `follow` does."""
        self._apply_records(self._log.scan(PLACE, self._next_offset))

    def require_model(self) -> StreamModel:
        """The model; raises BadRecord('no-model') while there is none."""
        if self.model is None:
            raise BadRecord("no-model", "no worker has started yet, so there is no model to ask")
        return self.model

    def ensure_key(self) -> None:
        """Write a secret for the model's hash when the log holds none; the one at the lowest offset counts."""
        if self.model is None:
            name = b"key/" + secrets.token_hex(8).encode()
            self._log.append([ProducerRecord(MODEL, name, secrets.token_bytes(KEY_BYTES), partition=0)])
            while self.model is None:
                self.follow(timeout_s=1.0)

    def ledger(self, partition: int) -> Ledger:
        """The ledger of `partition` of `emails` and `labels`; empty when nothing was labelled there."""
        if partition not in self.ledgers:
            worker = self._settings.worker
            self.ledgers[partition] = Ledger(
                worker.remember_mails, worker.remember_labels, worker.remember_days * DAY_S
            )
        return self.ledgers[partition]

    def checkpoint(self, partition: int) -> Checkpoint:
        """How far the deltas of `partition` have been applied; zeros when there is none."""
        return self.checkpoints.get(partition, Checkpoint())

    def new_delta(self) -> StreamModel:
        """An empty model like this one. Raises BadRecord while there is none."""
        return self.require_model().delta()

    def advance(self, delta: Delta, size: int) -> None:
        """Take over a delta that the owner commits, in `size` bytes; its updates are in the model already."""
        self._count(delta, size)

    def snapshot_records(self) -> list[ProducerRecord]:
        """The records of a new snapshot of all that has been applied, with tombstones of deltas no longer needed."""
        entries = {partition: tuple(ledger.entries.values()) for partition, ledger in self.ledgers.items()}
        mails = {partition: tuple(ledger.evicted_mails) for partition, ledger in self.ledgers.items()}
        model = self.require_model().to_bytes()
        snapshot = Snapshot(model, entries, self.evicted, mails, self.forgotten, self.loaded, self.decayed_to)
        return snapshot_records(self.manifest, dict(self.checkpoints), snapshot)

    def restore(self, changelog: Changelog) -> None:
        """Take over a whole changelog; for a replica that has applied nothing yet. Raises as `follow` does."""
        self._next_offset = changelog.next_offset
        newest = changelog.newest_snapshot(self._settings.learner, self.skipped)
        if changelog.secret is not None:
            self._start(changelog.secret)
        if newest is not None:
            self._restore_snapshot(newest)
        for stored in changelog.deltas_after(self.checkpoints, self.skipped):
            try:
                self._apply_delta(stored)
            except BadRecord as error:
                self.skipped.skip(stored.record, error)

    def _restore_snapshot(self, stored: StoredSnapshot) -> None:
        manifest, snapshot, model = stored
        self._start(model.key).merge(model)
        for partition, entries in snapshot.entries.items():
            self.ledger(partition).restore(entries)
        for partition, next_offsets in snapshot.evicted_mails.items():
            self.ledger(partition).keep_evicted(next_offsets)
        self.evicted = snapshot.evicted
        self.forgotten = snapshot.forgotten
        self.loaded = snapshot.loaded
        self.decayed_to = snapshot.decayed_to
        self.checkpoints = dict(manifest.checkpoints)
        self.manifest = manifest

    def _start(self, secret: bytes) -> StreamModel:
        """The model, which is made with this secret when there is none yet."""
        if self.model is None:
            self.model = new_model(self._settings.learner, secret)
        return self.model

    def _apply_records(self, records: Iterable[Record]) -> list[LearnedLabel]:
        learned: list[LearnedLabel] = []
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
            return self._apply_delta(StoredDelta(content, record, len(record.value or b"")))
        if isinstance(content, Manifest):
            if content.number > self.manifest.number:
                self.manifest, self.delta_bytes = content, 0
        elif isinstance(content, bytes) and not is_chunk(record):
            self._start(content)
        return []

    def _apply_delta(self, stored: StoredDelta) -> list[LearnedLabel]:
        """Raises BadRecord, and changes nothing, for a delta whose updates do not fit this model."""
        delta, record, size = stored
        applied = self.checkpoint(delta.partition)
        if delta.checkpoint.seq <= applied.seq:
            return []
        if delta.checkpoint.seq != applied.seq + 1:
            self._model_for(delta)
            raise Restart(
                f"{record.location}, key {(record.key or b'').decode()}: delta {delta.checkpoint.seq} of partition "
                f"{delta.partition} follows {applied.seq}; a delta is missing"
            )
        if delta.changes:
            try:
                (self.model or self._model_for(delta)).apply_changes(delta.changes)
            except SnapshotError as error:
                self._model_for(delta)
                raise BadRecord("bad-bytes", f"delta: {error}") from error
        changed = self.ledger(delta.partition).restore(delta.entries)
        self._count(delta, size)
        return [LearnedLabel(entry.id, entry.learned, record.timestamp) for entry in changed]

    def _model_for(self, delta: Delta) -> StreamModel:
        """The model, which is that of the delta; raises BadRecord for a delta of another."""
        if not delta.changes:
            return self.require_model()
        try:
            secret = secret_of(self._settings.learner, delta.changes)
        except SnapshotError as error:
            raise BadRecord("bad-bytes", f"delta: {error}") from error
        model = self._start(secret)
        if model.key != secret:
            raise BadRecord("other-secret", "delta of a log whose words are hashed with another secret")
        return model

    def _count(self, delta: Delta, size: int) -> None:
        """Note a delta whose changes are in the model."""
        self._evict(delta)
        self.checkpoints[delta.partition] = delta.checkpoint
        self.delta_bytes += size
        self.forgotten += delta.forgotten
        self.decayed_to = delta.decayed_to or self.decayed_to
        if delta.forgotten:
            self._kept_rows = give_back_rows(self.require_model(), self._kept_rows)

    def _evict(self, delta: Delta) -> None:
        for message_id in delta.evicted:
            entry = self.ledger(delta.partition).evict(message_id)
            self.evicted += entry is not None and entry.teaches
