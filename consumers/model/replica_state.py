"""A process's state of the model: counts, ledgers and checkpoints, to which deltas and sums are applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from stream_nb import SnapshotError

from ..errors import BadRecord, Restart
from ..log.base import ProducerRecord, Record
from ..records.schemas import MODEL
from ..settings import Settings
from .changelog import Checkpoint, Delta, Manifest, read_record
from .changelog_reader import StoredSnapshot
from .factory import model_of_log, new_model, secret_of
from .forgetting import give_back_rows
from .ledger import Entry, Ledger
from .secret import Secret
from .stream_model import StreamModel
from .sums import Sum, SumPart

DAY_S = 86_400


class OwnDelta(NamedTuple):
    """The changes of a delta that the replica's owner committed, and the size of the record's value in bytes."""

    changes: bytes
    size: int


class ReplicaState:
    """A model to which a snapshot, deltas and sums of deltas are applied.

    Attributes:
        model: The model; None until the log holds the secret of its hash, which the first worker writes. It always
            stays the same object, into which everything is merged.
        ledgers: The ledgers by partition.
        checkpoints: How far each partition's deltas have been applied.
        evicted: Number of updates in the model whose entries were evicted.
        forgotten: Number of features that were removed from the model, to free memory or with age.
        decayed_to: Number of labels at which the last decay was due; 0 if there was none.
        halvings: How often a part of the features has decayed.
        loaded: Whether the log began with a model.
        manifest: The manifest of the newest snapshot; its number is 0 if there is none.
        delta_bytes: Total size of the deltas since that snapshot.
        on_changed: Called with the entries whose update a delta or sum has changed, and the timestamp of its record.
        own_bytes: With `[learner] follow = "sums"`, total size of the deltas that the owner committed and that no sum
            has returned yet.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kept_rows = 0
        self.on_changed: Callable[[list[Entry], float], None] = lambda entries, timestamp: None
        self._own: dict[int, dict[int, OwnDelta]] = {}
        """The deltas that the owner committed and that no sum has returned yet, by partition and seq, in order."""
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
            raise BadRecord("no-model", "no worker is ready yet, so there is no model to ask")
        return self.model

    def ledger(self, partition: int) -> Ledger:
        """The ledger of `partition` of `emails` and `labels`; empty if nothing was labelled there."""
        if partition not in self.ledgers:
            worker = self._settings.worker
            remember_s = worker.remember_days * DAY_S
            self.ledgers[partition] = Ledger(worker.remember_mails, worker.remember_labels, remember_s)
        return self.ledgers[partition]

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """The entries of all ledgers, each with its partition."""
        for partition, ledger in self.ledgers.items():
            for entry in ledger.entries.values():
                yield partition, entry

    def checkpoint(self, partition: int) -> Checkpoint:
        """How far the deltas of `partition` have been applied; zeros if there are none."""
        return self.checkpoints.get(partition, Checkpoint())

    def empty_model(self) -> StreamModel:
        """An empty model with this one's key and options. Raises BadRecord while there is none."""
        return self.require_model().clone()

    def advance(self, delta: Delta, size: int) -> None:
        """Note a delta that this replica's owner commits; its updates are in the model already.

        `size` is the size of its record's value in bytes.
        """
        if self._settings.learner.follow == "sums":
            self._own.setdefault(delta.partition, {})[delta.checkpoint.seq] = OwnDelta(delta.changes, size)
            self.own_bytes += size
        self._evict(delta.partition, delta.evicted)
        self._count(delta, size)

    def advance_snapshot(self, last: ProducerRecord) -> None:
        """Note a snapshot that this replica's owner commits; `last` is the last of its records."""
        manifest = read_record(Record(MODEL, 0, 0, last.key, last.value, 0.0))
        if isinstance(manifest, Manifest):
            self.note_manifest(manifest)

    def note_manifest(self, manifest: Manifest) -> None:
        """Note the manifest of a snapshot on the log, if it is newer than the current one. Raises Restart for a model
        that was loaded into the log (`files.put_model`), because no delta includes it."""
        if manifest.number > self.manifest.number:
            if not manifest.next_offset:
                raise Restart(f"{MODEL}: a model was loaded into the log after this process started")
            self.manifest, self.delta_bytes = manifest, 0

    def restore_snapshot(self, stored: StoredSnapshot) -> None:
        """Load a snapshot into a state to which nothing has been applied yet."""
        manifest, snapshot, model = stored
        self._model_with(model.key).merge(model)
        for partition, entries in snapshot.entries.items():
            self.ledger(partition).entries.add_encoded(entries, key=lambda entry: entry.id)
        for partition, next_offsets in snapshot.evicted_mails.items():
            self.ledger(partition).keep_evicted(next_offsets)
        self.evicted, self.forgotten, self.loaded = snapshot.evicted, snapshot.forgotten, snapshot.loaded
        self.decayed_to, self.halvings = snapshot.decayed_to, snapshot.halvings
        self.checkpoints = dict(manifest.checkpoints)
        self.manifest = manifest

    def begin(self, secret: Secret) -> None:
        """Create the model if there is none yet. Raises OtherModel if the log has a model of another kind."""
        if self.model is None:
            self.model = model_of_log(self._settings.learner, secret)

    def apply_delta(self, delta: Delta, record: Record) -> None:
        """Apply the delta in a record, unless it has been applied.

        Raises Restart if it is not the next one, and BadRecord if its updates do not fit this model; then nothing
        changes.
        """
        applied = self.checkpoint(delta.partition)
        if delta.checkpoint.seq <= applied.seq:
            self._forget_own(delta.partition, delta.checkpoint.seq)
            return
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
        self._count(delta, len(record.value or b""))
        self.on_changed(changed, record.timestamp)

    def apply_sum(self, total: Sum, timestamp: float) -> bool:
        """Apply a sum of deltas, except for the owner's deltas in it, which have been applied. `timestamp` is that of
        its record, in seconds since 1970.

        Returns False, and changes nothing, if other deltas of the sum have been applied, a delta before them has not,
        or the changes are left out or do not fit this model.
        """
        if total.changes is None:
            return False
        own: list[OwnDelta] = []
        new: list[SumPart] = []
        for part in total.parts:
            if part.first == self.checkpoint(part.partition).seq + 1:
                new.append(part)
            elif (returned := self._own_deltas(part)) is not None:
                own += returned
            else:
                return False
        applied = [delta.changes for delta in own if delta.changes]
        if total.changes or applied:
            try:
                self.require_model().apply_changes(total.changes, applied)
            except SnapshotError:
                return False
        if total.manifest is not None:
            self.note_manifest(total.manifest)
        self.delta_bytes -= min(self.delta_bytes, sum(delta.size for delta in own))
        for part in total.parts:
            self._forget_own(part.partition, part.checkpoint.seq)
        for part in new:
            changed = self.ledger(part.partition).restore(part.entries)
            self._evict(part.partition, part.evicted)
            self._count(part, 0)
            self.on_changed(changed, timestamp)
        self.delta_bytes += total.delta_bytes
        return True

    def _own_deltas(self, part: SumPart) -> list[OwnDelta] | None:
        """The deltas of a part of a sum; None if it has none, or if any of them is not the owner's."""
        own, numbers = self._own.get(part.partition, {}), range(part.first, part.checkpoint.seq + 1)
        return [own[seq] for seq in numbers] if numbers and all(seq in own for seq in numbers) else None

    def _model_for(self, delta: Delta) -> StreamModel:
        """The model, to which the delta belongs; raises BadRecord for a delta of another model."""
        if not delta.changes:
            return self.require_model()
        try:
            secret = secret_of(self._settings.learner, delta.changes)
        except SnapshotError as error:
            raise BadRecord("bad-bytes", f"delta: {error}") from error
        model = self._model_with(secret)
        if model.key != secret:
            raise BadRecord("other-secret", "delta of a log whose words are hashed with another secret")
        return model

    def _model_with(self, key: bytes) -> StreamModel:
        """Return the model; create it with `key`, the secret of its hash, if there is none yet."""
        if self.model is None:
            self.model = new_model(self._settings.learner, key)
        return self.model

    def _forget_own(self, partition: int, seq: int) -> None:
        """Drop the owner's deltas up to this one: sums have returned them, or they are no longer on the log."""
        own = self._own.get(partition, {})
        while own and (first := next(iter(own))) <= seq:
            self.own_bytes -= own.pop(first).size

    def _evict(self, partition: int, ids: Iterable[str]) -> None:
        for message_id in ids:
            entry = self.ledger(partition).evict(message_id)
            self.evicted += entry is not None and entry.teaches

    def _count(self, applied: Delta | SumPart, size: int) -> None:
        """Update checkpoints and counts for deltas of `size` bytes whose changes and entries have been applied."""
        self.checkpoints[applied.partition] = applied.checkpoint
        self.delta_bytes += size
        self.forgotten += applied.forgotten
        self.decayed_to = applied.decayed_to or self.decayed_to
        self.halvings += applied.halvings if isinstance(applied, SumPart) else applied.decayed_to > 0
        if applied.forgotten:
            self._kept_rows = give_back_rows(self.require_model(), self._kept_rows)
