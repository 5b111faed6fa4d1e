"""What a process has of the model: its counts and ledgers, and how far they go; deltas and sums are put into it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from stream_nb import SnapshotError

from ..errors import BadRecord, Restart
from ..log.base import ProducerRecord, Record
from ..records.schemas import MODEL
from ..settings import Settings
from .changelog import Checkpoint, Delta, Manifest, read_record
from .changelog_reader import StoredDelta, StoredSnapshot
from .factory import new_model, secret_of
from .forgetting import give_back_rows
from .ledger import LearnedLabel, Ledger
from .stream_model import StreamModel
from .sums import Sum, SumPart

DAY_S = 86_400


class OwnDelta(NamedTuple):
    """The changes of a delta that the owner of a replica has committed, and the size of its record's value."""

    changes: bytes
    size: int


class ReplicaState:
    """A model that deltas, sums of them and a snapshot are put into.

    Attributes:
        model: The model; None until the log holds the secret of its hash, which the first worker writes. It is the
            same object for good: what comes is merged into it.
        ledgers: The ledgers by partition.
        checkpoints: How far each partition's deltas have been applied.
        evicted: Updates in the model whose entries were evicted.
        forgotten: Features that were taken out of the model, for want of room or with age.
        decayed_to: Labels at which the last decay was due; 0 when there was none.
        halvings: How often a part of the features has decayed.
        loaded: Whether the log began with a model.
        manifest: That of the newest snapshot; number 0 when there is none.
        delta_bytes: Bytes of the deltas since that snapshot.
        own_bytes: With `[learner] follow = "sums"` bytes of the deltas that the owner has committed and that have not
            come back yet in a sum.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kept_rows = 0
        self._own: dict[int, dict[int, OwnDelta]] = {}
        """What the owner has committed and has not come back yet, by partition and seq, in their order."""
        self.own_bytes = 0
        self.model: StreamModel | None = None
        self.ledgers: dict[int, Ledger] = {}
        self.checkpoints: dict[int, Checkpoint] = {}
        self.evicted = 0
        self.forgotten = 0
        self.decayed_to = 0
        self.halvings = 0
        self.loaded = False
        self.manifest = Manifest()
        self.delta_bytes = 0

    def require_model(self) -> StreamModel:
        """The model; raises BadRecord('no-model') while there is none."""
        if self.model is None:
            raise BadRecord("no-model", "no worker has started yet, so there is no model to ask")
        return self.model

    def ledger(self, partition: int) -> Ledger:
        """The ledger of `partition` of `emails` and `labels`; empty when nothing was labelled there."""
        if partition not in self.ledgers:
            worker = self._settings.worker
            remember_s = worker.remember_days * DAY_S
            self.ledgers[partition] = Ledger(worker.remember_mails, worker.remember_labels, remember_s)
        return self.ledgers[partition]

    def checkpoint(self, partition: int) -> Checkpoint:
        """How far the deltas of `partition` have been applied; zeros when there is none."""
        return self.checkpoints.get(partition, Checkpoint())

    def new_delta(self) -> StreamModel:
        """An empty model like this one. Raises BadRecord while there is none."""
        return self.require_model().delta()

    def advance(self, delta: Delta, size: int) -> None:
        """Take over a delta that the owner of this replica commits; its updates are in the model already.

        `size` is that of its record's value in bytes.
        """
        if self._settings.learner.follow == "sums":
            self._own.setdefault(delta.partition, {})[delta.checkpoint.seq] = OwnDelta(delta.changes, size)
            self.own_bytes += size
        self._evict(delta.partition, delta.evicted)
        self._count(delta, size)

    def advance_snapshot(self, last: ProducerRecord) -> None:
        """Take over a snapshot that the owner of this replica commits; `last` is the last of its records."""
        manifest = read_record(Record(MODEL, 0, 0, last.key, last.value, 0.0))
        if isinstance(manifest, Manifest):
            self.note_manifest(manifest)

    def note_manifest(self, manifest: Manifest) -> None:
        """Note that of a snapshot on the log; one that is not newer changes nothing."""
        if manifest.number > self.manifest.number:
            self.manifest, self.delta_bytes = manifest, 0

    def restore_snapshot(self, stored: StoredSnapshot) -> None:
        """Take over a snapshot; for a state to which nothing has been applied yet."""
        manifest, snapshot, model = stored
        self.start(model.key).merge(model)
        for partition, entries in snapshot.entries.items():
            self.ledger(partition).restore(entries)
        for partition, next_offsets in snapshot.evicted_mails.items():
            self.ledger(partition).keep_evicted(next_offsets)
        self.evicted = snapshot.evicted
        self.forgotten = snapshot.forgotten
        self.loaded = snapshot.loaded
        self.decayed_to = snapshot.decayed_to
        self.halvings = snapshot.halvings
        self.checkpoints = dict(manifest.checkpoints)
        self.manifest = manifest

    def start(self, secret: bytes) -> StreamModel:
        """The model, which is made with this `secret` when there is none yet."""
        if self.model is None:
            self.model = new_model(self._settings.learner, secret)
        return self.model

    def apply_delta(self, stored: StoredDelta) -> list[LearnedLabel]:
        """Apply a delta, unless it has been; returns the messages whose label in the model changed.

        Raises Restart where it is not the next one, and BadRecord where its updates do not fit this model; then nothing
        changes.
        """
        delta, record, size = stored
        applied = self.checkpoint(delta.partition)
        if delta.checkpoint.seq <= applied.seq:
            self._forget_own(delta.partition, delta.checkpoint.seq)
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
        self._evict(delta.partition, delta.evicted)
        self._count(delta, size)
        return [LearnedLabel(entry.id, entry.learned, record.timestamp) for entry in changed]

    def apply_sum(self, total: Sum, timestamp: float) -> list[LearnedLabel] | None:
        """Take over a sum of deltas, of which those of the owner have been applied.

        Args:
            total: The sum.
            timestamp: That of its record.

        Returns:
            The messages whose label in the model changed. None, and nothing changes, where other deltas of it have been
            applied, or one before them has not, or the changes are left out or do not fit this model.
        """
        if total.changes is None:
            return None
        own: list[OwnDelta] = []
        new: list[SumPart] = []
        for part in total.parts:
            if part.first == self.checkpoint(part.partition).seq + 1:
                new.append(part)
                continue
            kept = self._own.get(part.partition, {})
            if not 0 <= part.checkpoint.seq - part.first < len(kept):
                return None
            numbers = range(part.first, part.checkpoint.seq + 1)
            if any(seq not in kept for seq in numbers):
                return None
            own += [kept[seq] for seq in numbers]
        less = [delta.changes for delta in own if delta.changes]
        if total.changes or less:
            try:
                self.require_model().apply_changes(total.changes, less)
            except SnapshotError:
                return None
        if total.manifest is not None:
            self.note_manifest(total.manifest)
        self.delta_bytes -= min(self.delta_bytes, sum(delta.size for delta in own))
        for part in total.parts:
            self._forget_own(part.partition, part.checkpoint.seq)
        learned: list[LearnedLabel] = []
        for part in new:
            changed = self.ledger(part.partition).restore(part.entries)
            self._evict(part.partition, part.evicted)
            self._count(part, 0)
            learned += [LearnedLabel(entry.id, entry.learned, timestamp) for entry in changed]
        self.delta_bytes += total.delta_bytes
        return learned

    def _model_for(self, delta: Delta) -> StreamModel:
        """The model, which is that of the delta; raises BadRecord for a delta of another."""
        if not delta.changes:
            return self.require_model()
        try:
            secret = secret_of(self._settings.learner, delta.changes)
        except SnapshotError as error:
            raise BadRecord("bad-bytes", f"delta: {error}") from error
        model = self.start(secret)
        if model.key != secret:
            raise BadRecord("other-secret", "delta of a log whose words are hashed with another secret")
        return model

    def _forget_own(self, partition: int, seq: int) -> None:
        """What has come back up to this delta, or is gone from the log, comes no more."""
        own = self._own.get(partition, {})
        while own and (first := next(iter(own))) <= seq:
            self.own_bytes -= own.pop(first).size

    def _evict(self, partition: int, ids: Iterable[str]) -> None:
        for message_id in ids:
            entry = self.ledger(partition).evict(message_id)
            self.evicted += entry is not None and entry.teaches

    def _count(self, what: Delta | SumPart, size: int) -> None:
        """Note deltas whose changes and entries are in, of so many bytes."""
        self.checkpoints[what.partition] = what.checkpoint
        self.delta_bytes += size
        self.forgotten += what.forgotten
        self.decayed_to = what.decayed_to or self.decayed_to
        self.halvings += what.halvings if isinstance(what, SumPart) else what.decayed_to > 0
        if what.forgotten:
            self._kept_rows = give_back_rows(self.require_model(), self._kept_rows)
