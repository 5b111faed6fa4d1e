"""A copy of the model that follows the `model` topic: workers learn on it, monitors and dashboards read it."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from stream_nb import MailNB, SnapshotError

from ..errors import BadRecord, Restart
from ..log.base import Log, ProducerRecord, Record
from ..records.foreign import Foreign
from ..records.schemas import MODEL
from ..settings import Settings
from .changelog import (
    AT,
    Checkpoint,
    Contents,
    Delta,
    Manifest,
    Snapshot,
    Told,
    draft_snapshot,
    is_chunk,
    read_contents,
    read_record,
    read_snapshot,
)
from .factory import new_model
from .ledger import Entry, Ledger

KEY_BYTES = 32


class Learned(NamedTuple):
    """A message whose label now counts in the model (`label` None: it no longer does), and when."""

    id: str
    label: str | None
    at: float


class Replica:
    """The model as the log tells it.

    `model` is None until the log holds a hash key (the first worker writes one). `marks` says how far each
    partition's deltas have been applied; `evicted` counts lessons that stand although the ledger no longer remembers
    them; `manifest` is the newest snapshot's, `delta_bytes` what came after it, `applied_at` when the newest delta was
    appended (seconds since 1970; 0: there was none); `foreign` counts what was passed over.
    """

    def __init__(self, log: Log, settings: Settings, foreign: Foreign) -> None:
        self._log = log
        self._settings = settings
        self.foreign = foreign
        self._next_offset = 0
        self.model: MailNB | None = None
        self.ledgers: dict[int, Ledger] = {}
        self.marks: dict[int, Checkpoint] = {}
        self.evicted = 0
        self.manifest = Manifest()
        self.delta_bytes = 0
        self.applied_at = 0.0

    @classmethod
    def load(cls, log: Log, settings: Settings, foreign: Foreign | None = None) -> Replica:
        """Read the `model` topic to its end; raises Restart when a delta is missing from its chain.

        `foreign` is told of the records that are none of ours.
        """
        replica = cls(log, settings, foreign or Foreign())
        replica._restore(read_contents(log, replica.foreign))
        return replica

    def follow(self, timeout_s: float = 0.0) -> list[Learned]:
        """Apply what has been added since; returns the messages whose lessons changed."""
        learned: list[Learned] = []
        while batch := self._log.read({AT: self._next_offset}, timeout_s=timeout_s):
            for record in batch:
                self._next_offset = record.offset + 1
                try:
                    learned += self._apply_record(record)
                except BadRecord as unusable:
                    self.foreign.pass_over(record, unusable)
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

    def mark(self, partition: int) -> Checkpoint:
        """How far a partition's deltas have been applied."""
        return self.marks.get(partition, Checkpoint())

    def new_delta(self) -> MailNB:
        """An empty model whose lessons can be merged into this one."""
        return self.model.delta()

    def learned(self, delta: Delta, size: int) -> None:
        """Note that a delta of our own, whose lessons are in the model already, is being committed."""
        self._drop(delta)
        self.marks[delta.partition] = delta.mark
        self.delta_bytes += size

    def draft_snapshot(self) -> list[ProducerRecord]:
        """The records of a new snapshot of everything applied, with tombstones for deltas no longer needed."""
        entries = {p: tuple(ledger.entries.values()) for p, ledger in self.ledgers.items()}
        return draft_snapshot(self.manifest, dict(self.marks), Snapshot(self.model.to_bytes(), entries, self.evicted))

    def _restore(self, contents: Contents) -> None:
        self._next_offset = contents.next_offset
        for manifest in sorted(contents.manifests, key=lambda m: m.number, reverse=True):
            snapshot = read_snapshot(manifest, contents.chunks)
            if snapshot is not None:
                self._take(manifest, snapshot)
                break
        if contents.secret is not None:
            self._begin(contents.secret)
        for told in contents.deltas:
            try:
                self._apply_delta(told)
            except BadRecord as unusable:
                self.foreign.pass_over(told.record, unusable)

    def _begin(self, secret: bytes) -> None:
        """Have an empty model, if there is none yet: the first secret counts."""
        if self.model is None:
            self.model = new_model(self._settings.learner, secret)

    def _lessons(self, data: bytes) -> MailNB | None:
        if not data:
            return None
        try:
            lessons = MailNB.from_bytes(data)
        except SnapshotError as error:
            raise BadRecord("bad-bytes", f"delta: {error}") from error
        self._begin(lessons.key)
        if lessons.key != self.model.key:
            raise BadRecord("other-secret", "delta of a log whose words are hashed with another secret")
        return lessons

    def _take(self, manifest: Manifest, snapshot: Snapshot) -> None:
        model = MailNB.from_bytes(snapshot.model)
        self._begin(model.key)
        self.model.merge(model)
        for partition, entries in snapshot.entries.items():
            self.ledger(partition).restore(entries)
        self.evicted = snapshot.evicted
        self.marks = dict(manifest.marks)
        self.manifest = manifest

    def _apply_record(self, record: Record) -> list[Learned]:
        content = read_record(record)
        if isinstance(content, Delta):
            return self._apply_delta(Told(content, record, len(record.value)))
        if isinstance(content, Manifest):
            if content.number > self.manifest.number:
                self.manifest, self.delta_bytes = content, 0
        elif content is not None and not is_chunk(record):
            self._begin(content)
        return []

    def _apply_delta(self, told: Told) -> list[Learned]:
        """Raises BadRecord, and changes nothing, for a delta whose lessons do not fit this model."""
        delta, record, size = told
        applied = self.mark(delta.partition)
        if delta.mark.seq <= applied.seq:
            return []
        given, taken = self._lessons(delta.given), self._lessons(delta.taken)
        if delta.mark.seq != applied.seq + 1:
            raise Restart(
                f"{record.location}: delta {delta.mark.seq} of partition {delta.partition} follows {applied.seq}; "
                "a delta is missing"
            )
        if given is not None:
            self.model.merge(given)
        if taken is not None:
            self.model.unmerge(taken)
        ledger = self.ledger(delta.partition)
        changed = [entry for entry in delta.entries if _lesson(ledger, entry) != entry.lesson]
        ledger.restore(delta.entries)
        self._drop(delta)
        self.marks[delta.partition] = delta.mark
        self.delta_bytes += size
        self.applied_at = max(self.applied_at, record.timestamp)
        return [Learned(e.id, e.lesson.label if e.lesson else None, record.timestamp) for e in changed]

    def _drop(self, delta: Delta) -> None:
        for message_id in delta.dropped:
            entry = self.ledger(delta.partition).drop(message_id)
            self.evicted += entry is not None and entry.lesson is not None


def _lesson(ledger: Ledger, entry: Entry):
    old = ledger.entries.get(entry.id)
    return old.lesson if old else None
