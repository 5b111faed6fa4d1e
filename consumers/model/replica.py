"""A copy of the model that follows the `model` topic: workers learn on it, monitors and dashboards read it."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from stream_nb import MailNB, SnapshotError

from ..errors import BadRecord, Restart
from ..log.base import Log, ProducerRecord, Record
from ..records.schemas import MODEL
from ..records.skipped import SkippedRecords
from ..settings import Settings
from .changelog import (
    PLACE,
    Checkpoint,
    Contents,
    Delta,
    Manifest,
    Snapshot,
    StoredDelta,
    is_chunk,
    read_contents,
    read_record,
    read_snapshot,
    snapshot_records,
)
from .factory import new_model
from .ledger import Entry, Ledger

KEY_BYTES = 32


class LearnedLabel(NamedTuple):
    """A message whose label now counts in the model (`label` None: it no longer does), and when."""

    id: str
    label: str | None
    timestamp: float


class Replica:
    """The model as the log tells it.

    `model` is None until the log holds a hash key (the first worker writes one). `checkpoints` says how far each
    partition's deltas have been applied; `evicted` counts updates that stand although the ledger no longer remembers
    them; `manifest` is the newest snapshot's, `delta_bytes` what came after it, `applied_at` when the newest delta was
    appended (seconds since 1970; 0: there was none); `skipped` counts what was passed over.
    """

    def __init__(self, log: Log, settings: Settings, skipped: SkippedRecords) -> None:
        self._log = log
        self._settings = settings
        self.skipped = skipped
        self._next_offset = 0
        self.model: MailNB | None = None
        self.ledgers: dict[int, Ledger] = {}
        self.checkpoints: dict[int, Checkpoint] = {}
        self.evicted = 0
        self.manifest = Manifest()
        self.delta_bytes = 0
        self.applied_at = 0.0

    @classmethod
    def load(cls, log: Log, settings: Settings, skipped: SkippedRecords | None = None) -> Replica:
        """Read the `model` topic to its end; raises Restart when a delta is missing from its chain.

        `skipped` is told of the records that are none of ours.
        """
        replica = cls(log, settings, skipped or SkippedRecords())
        replica._restore(read_contents(log, replica.skipped))
        return replica

    def follow(self, timeout_s: float = 0.0) -> list[LearnedLabel]:
        """Apply what has been added since; returns the messages whose updates changed."""
        learned: list[LearnedLabel] = []
        while batch := self._log.read({PLACE: self._next_offset}, timeout_s=timeout_s):
            for record in batch:
                self._next_offset = record.offset + 1
                try:
                    learned += self._apply_record(record)
                except BadRecord as error:
                    self.skipped.skip(record, error)
            timeout_s = 0.0
        return learned

    def ensure_key(self) -> None:
        """Make sure that the log holds a hash key, and have a model with the one that counts."""
        if self.model is None:
            name = b"key/" + secrets.token_hex(8).encode()
            self._log.append([ProducerRecord(MODEL, name, secrets.token_bytes(KEY_BYTES), partition=0)])
            while self.model is None:
                self.follow(timeout_s=1.0)

    def ledger(self, partition: int) -> Ledger:
        """The ledger of a partition, empty when nothing was ever labelled there."""
        if partition not in self.ledgers:
            worker = self._settings.worker
            self.ledgers[partition] = Ledger(
                worker.remember_mails, worker.remember_labels, worker.remember_days * 86_400
            )
        return self.ledgers[partition]

    def checkpoint(self, partition: int) -> Checkpoint:
        """How far a partition's deltas have been applied."""
        return self.checkpoints.get(partition, Checkpoint())

    def new_delta(self) -> MailNB:
        """An empty model whose updates can be merged into this one."""
        return self.model.delta()

    def learned(self, delta: Delta, size: int) -> None:
        """Note that a delta of our own, whose updates are in the model already, is being committed."""
        self._drop(delta)
        self.checkpoints[delta.partition] = delta.checkpoint
        self.delta_bytes += size

    def snapshot_records(self) -> list[ProducerRecord]:
        """The records of a new snapshot of everything applied, with tombstones for deltas no longer needed."""
        entries = {p: tuple(ledger.entries.values()) for p, ledger in self.ledgers.items()}
        return snapshot_records(
            self.manifest, dict(self.checkpoints), Snapshot(self.model.to_bytes(), entries, self.evicted)
        )

    def _restore(self, contents: Contents) -> None:
        self._next_offset = contents.next_offset
        for manifest in sorted(contents.manifests, key=lambda m: m.number, reverse=True):
            snapshot = read_snapshot(manifest, contents.chunks)
            if snapshot is not None:
                self._take(manifest, snapshot)
                break
        if contents.secret is not None:
            self._begin(contents.secret)
        for stored in contents.deltas:
            try:
                self._apply_delta(stored)
            except BadRecord as error:
                self.skipped.skip(stored.record, error)

    def _begin(self, secret: bytes) -> None:
        """Have an empty model, if there is none yet: the first secret counts."""
        if self.model is None:
            self.model = new_model(self._settings.learner, secret)

    def _updates(self, data: bytes) -> MailNB | None:
        if not data:
            return None
        try:
            updates = MailNB.from_bytes(data)
        except SnapshotError as error:
            raise BadRecord("bad-bytes", f"delta: {error}") from error
        self._begin(updates.key)
        if updates.key != self.model.key:
            raise BadRecord("other-secret", "delta of a log whose words are hashed with another secret")
        return updates

    def _take(self, manifest: Manifest, snapshot: Snapshot) -> None:
        model = MailNB.from_bytes(snapshot.model)
        self._begin(model.key)
        self.model.merge(model)
        for partition, entries in snapshot.entries.items():
            self.ledger(partition).restore(entries)
        self.evicted = snapshot.evicted
        self.checkpoints = dict(manifest.checkpoints)
        self.manifest = manifest

    def _apply_record(self, record: Record) -> list[LearnedLabel]:
        content = read_record(record)
        if isinstance(content, Delta):
            return self._apply_delta(StoredDelta(content, record, len(record.value)))
        if isinstance(content, Manifest):
            if content.number > self.manifest.number:
                self.manifest, self.delta_bytes = content, 0
        elif content is not None and not is_chunk(record):
            self._begin(content)
        return []

    def _apply_delta(self, stored: StoredDelta) -> list[LearnedLabel]:
        """Raises BadRecord, and changes nothing, for a delta whose updates do not fit this model."""
        delta, record, size = stored
        applied = self.checkpoint(delta.partition)
        if delta.checkpoint.seq <= applied.seq:
            return []
        added, reverted = self._updates(delta.added), self._updates(delta.reverted)
        if delta.checkpoint.seq != applied.seq + 1:
            raise Restart(
                f"{record.location}: delta {delta.checkpoint.seq} of partition {delta.partition} "
                f"follows {applied.seq}; a delta is missing"
            )
        if added is not None:
            self.model.merge(added)
        if reverted is not None:
            self.model.unmerge(reverted)
        ledger = self.ledger(delta.partition)
        changed = [entry for entry in delta.entries if _update(ledger, entry) != entry.update]
        ledger.restore(delta.entries)
        self._drop(delta)
        self.checkpoints[delta.partition] = delta.checkpoint
        self.delta_bytes += size
        self.applied_at = max(self.applied_at, record.timestamp)
        return [LearnedLabel(e.id, e.update.label if e.update else None, record.timestamp) for e in changed]

    def _drop(self, delta: Delta) -> None:
        for message_id in delta.evicted:
            entry = self.ledger(delta.partition).drop(message_id)
            self.evicted += entry is not None and entry.update is not None


def _update(ledger: Ledger, entry: Entry):
    old = ledger.entries.get(entry.id)
    return old.update if old else None
