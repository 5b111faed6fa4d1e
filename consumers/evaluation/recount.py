"""Recounts the changelog of the model: compares each delta with the updates in its entries, applied to their mails.

The `model` topic keeps two snapshots and the deltas after the older one. That snapshot is compared with the updates of
its entries, and each delta with the updates that its entries changed; updates are applied to their mails, which are
read again. Snapshot and deltas together must equal the model and the entries of the replica. Features cannot be
recounted if a mail is no longer kept, or if, before the snapshot, an entry was evicted or features were forgotten or
halved (`[learner] max_features`, `half_life`); then only the numbers of labels are compared. A delta that forgets or
halves features is not checked.
"""

from __future__ import annotations

from typing import NamedTuple

from stream_nb import SnapshotError
from stream_nb.types import Mail, Part

from ..errors import BadRecord
from ..log.base import Log, TopicPartition
from ..model.changelog import Checkpoint, Delta
from ..model.changelog_reader import StoredSnapshot, read_changelog
from ..model.decay import what_is_left
from ..model.ledger import Entry, read_entry
from ..model.mail_cache import MailCache
from ..model.replica import Replica
from ..model.stream_model import StreamModel
from ..model.words import known_features
from ..records.schemas import EMAILS
from ..records.skipped import SkippedRecords
from ..settings import Settings
from .findings import Findings

_NOTHING = Mail((Part("", b""),))


class History(NamedTuple):
    """The oldest complete snapshot on `model` (None: there is none), its checkpoints, and the deltas after it."""

    snapshot: StoredSnapshot | None
    checkpoints: dict[int, Checkpoint]
    deltas: tuple[Delta, ...]

    @classmethod
    def read(cls, log: Log, settings: Settings, skipped: SkippedRecords) -> History:
        """Read the current history of a log with the model of `settings`; `skipped` counts the unreadable records."""
        changelog = read_changelog(log, skipped)
        oldest = changelog.snapshot(settings.learner, skipped, oldest=True)
        checkpoints = oldest.manifest.checkpoints if oldest is not None else {}
        deltas = tuple(delta for _, delta in changelog.deltas_after(checkpoints, skipped))
        return cls(oldest, checkpoints, deltas)


def check_changelog(log: Log, settings: Settings, replica: Replica, history: History, findings: Findings) -> None:
    """Recount a history up to the checkpoints of a replica, which must have a model, and add what is found."""
    recount = _Recount(log, settings, replica, history.checkpoints, findings)
    if history.snapshot is not None:
        recount.check_snapshot(history.snapshot)
    for delta in history.deltas:
        recount.check_delta(delta)
    recount.check_replica()


class _Recount:
    """The model and the entries of a history, added up again; `findings` gets each difference."""

    def __init__(
        self, log: Log, settings: Settings, replica: Replica, checkpoints: dict[int, Checkpoint], findings: Findings
    ) -> None:
        self._log = log
        self._headers = settings.learner.headers
        self._replica = replica
        self._mails: dict[int, MailCache] = {}
        self._entries: dict[tuple[int, str], Entry] = {}
        self._model = replica.empty_model()
        self._checkpoints = dict(checkpoints)
        self._differences = findings.differences
        self._left_out = findings.left_out

    def check_snapshot(self, stored: StoredSnapshot) -> None:
        """Check that the snapshot's model is the sum of the updates of its entries, as far as they are kept."""
        _, snapshot, model = stored
        self._model.merge(model)
        recounted = self._replica.empty_model()
        exact = not (snapshot.evicted or snapshot.forgotten or snapshot.decayed_to or snapshot.loaded)
        if snapshot.evicted:
            self._left_out["updates in the snapshot that no ledger has: evicted, or loaded with the model"] = (
                snapshot.evicted
            )
        if snapshot.forgotten:
            self._left_out["words and pairs forgotten before the snapshot ([learner] max_features, half_life)"] = (
                snapshot.forgotten
            )
        for partition, entries in snapshot.entries.items():
            for entry in map(read_entry, entries):
                exact &= self._apply(recounted, partition, entry)
                self._entries[partition, entry.id] = entry
        if not exact:
            self._left_out[
                "snapshots compared only by the number of labels, because not all updates can be recounted"
            ] += 1
        self._compare("model: snapshot", self._model, recounted, exact, snapshot.evicted)

    def check_delta(self, delta: Delta) -> None:
        """Check that a delta's changes equal the changes of the updates in its entries, if the replica includes it."""
        if not self._checkpoint(delta).seq < delta.checkpoint.seq <= self._replica.checkpoint(delta.partition).seq:
            return
        what = f"model: delta {delta.checkpoint.seq} of partition {delta.partition}"
        if delta.checkpoint.seq != self._checkpoint(delta).seq + 1:
            self._differences.append(f"{what} follows {self._checkpoint(delta).seq}; a delta is missing")
        self._checkpoints[delta.partition] = delta.checkpoint
        if delta.takes_out:
            self._model.apply_changes(delta.changes)
            return
        new, old, exact = self._replica.empty_model(), self._replica.empty_model(), True
        for entry in delta.entries:
            before = self._entries.get((delta.partition, entry.id))
            if before is None or before.update != entry.update or entry.faded:
                exact &= self._apply(new, delta.partition, entry)
                exact &= before is None or self._apply(old, delta.partition, before, entry.faded)
            self._entries[delta.partition, entry.id] = entry
        for message_id in delta.evicted:
            self._entries.pop((delta.partition, message_id), None)
        if not exact:
            self._left_out["deltas compared only by the number of labels, because a mail has left the log"] += 1
        if delta.changes:
            self._model.apply_changes(delta.changes)
            try:
                old.apply_changes(delta.changes)
            except SnapshotError as error:
                # Without the features of a mail that has left the log, they cannot be removed.
                self._differences += [f"{what}: {error}"] if exact else []
                return
        self._compare(what, old, new, exact)

    def check_replica(self) -> None:
        """Check that the replica's model and ledgers have the updates of the snapshot and the deltas."""
        self._compare("model", self._replica.require_model(), self._model)
        held = {(where, entry.id): entry.update for where, entry in self._replica.entries() if entry.update is not None}
        logged = {key: entry.update for key, entry in self._entries.items() if entry.update is not None}
        for key in sorted(held.keys() | logged.keys()):
            if held.get(key) != logged.get(key):
                partition, message_id = key
                self._differences.append(
                    f"message {message_id!r} of partition {partition}: the ledger has the update {held.get(key)}, "
                    f"the deltas {logged.get(key)}"
                )

    def _apply(self, model: StreamModel, partition: int, entry: Entry, faded: int = 0) -> bool:
        """Apply an entry's update, if any, less its `faded` part (in 1/256); return False, and omit its features, if
        its mail cannot be read."""
        if entry.update is None:
            return True
        update = what_is_left(entry.update, faded)
        if partition not in self._mails:
            self._mails[partition] = MailCache(self._log, partition, self._headers, self._log.partitions(EMAILS))
        try:
            model.apply_update(self._mails[partition].get(entry.id, entry.next_offset), update)
        except BadRecord as error:
            if entry.next_offset > self._log.start_offset(TopicPartition(EMAILS, partition)):
                self._differences.append(f"message {entry.id!r}: {error}")
            model.apply_update(_NOTHING, update)
            self._left_out["updates whose mails cannot be read again: their words are not recounted"] += 1
            return False
        return True

    def _compare(
        self, what: str, logged: StreamModel, recounted: StreamModel, exact: bool = True, evicted: int = 0
    ) -> None:
        """Compare two models; unless `exact`, only their numbers of labels, `evicted` of which cannot be recounted."""
        logged, recounted = self._without_empty_classes(logged), self._without_empty_classes(recounted)
        labels = recounted.labels_learned + evicted
        same = logged.same_counts(recounted) if exact else logged.labels_learned == labels
        if not same:
            self._differences.append(
                f"{what}: {logged.labels_learned} labels and {known_features(logged)} features, recounted "
                f"{labels} and {known_features(recounted)}, or other counts"
            )

    def _without_empty_classes(self, model: StreamModel) -> StreamModel:
        """A copy without the classes that have no label, which would make equal models differ."""
        copy = self._replica.empty_model()
        copy.merge(model)
        return copy

    def _checkpoint(self, delta: Delta) -> Checkpoint:
        return self._checkpoints.get(delta.partition, Checkpoint())
