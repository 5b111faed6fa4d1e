"""Count what was taught once more: each delta on the `model` topic against the updates and mails it speaks of.

The topic keeps two snapshots and the deltas after the older one. That snapshot is compared with the updates of its
ledger, then each delta with the changes of updates in its entries, multiplied with their re-read mails; what snapshot
and deltas add up to must be what the replica holds, updates that its ledger let go included. Where a mail is no longer
kept, or an entry was let go before the snapshot, features cannot be counted again: then the numbers of labels are
compared.
"""

from __future__ import annotations

from typing import NamedTuple

from stream_nb import MailNB

from ..errors import BadRecord
from ..log.base import Log, TopicPartition
from ..model.changelog import Checkpoint, Delta, Manifest, Snapshot, read_contents, read_snapshot
from ..model.ledger import Entry
from ..model.mail_cache import MailCache
from ..model.replica import Replica
from ..records.schemas import EMAILS
from ..records.skipped import SkippedRecords
from ..settings import Settings


class History(NamedTuple):
    """The oldest whole snapshot on the `model` topic, if there is one, how far it goes, and all deltas."""

    snapshot: Snapshot | None
    checkpoints: dict[int, Checkpoint]
    deltas: tuple[Delta, ...]

    @classmethod
    def read(cls, log: Log, skipped: SkippedRecords) -> History:
        """What is committed as of now."""
        contents = read_contents(log, skipped)
        deltas = tuple(stored.delta for stored in contents.deltas)
        for manifest in sorted(contents.manifests, key=lambda manifest: manifest.number):
            snapshot = read_snapshot(manifest, contents.chunks)
            if snapshot is not None:
                return cls(snapshot, manifest.checkpoints, deltas)
        return cls(None, Manifest().checkpoints, deltas)


class Recount:
    """Counts `history` again, up to where `replica` stands; `differences` says what does not agree."""

    def __init__(self, log: Log, settings: Settings, replica: Replica, history: History) -> None:
        self._log = log
        self._headers = settings.learner.headers
        self._replica = replica
        self._mail_caches: dict[int, MailCache] = {}
        self._entries: dict[tuple[int, str], Entry] = {}
        self._model = replica.new_delta()
        self._checkpoints = dict(history.checkpoints)
        self.differences: list[str] = []
        if history.snapshot is not None:
            self._check_snapshot(history.snapshot)
        for delta in history.deltas:
            if self._checkpoint(delta).seq < delta.checkpoint.seq <= replica.checkpoint(delta.partition).seq:
                self._check_delta(delta)
        self._compare("model", self._sum(replica.model), self._sum(self._model))
        self._check_entries()

    def _check_snapshot(self, snapshot: Snapshot) -> None:
        """The snapshot's model is the sum of its ledger's updates and of those let go."""
        self._model.merge(MailNB.from_bytes(snapshot.model))
        counted, exact = self._replica.new_delta(), not snapshot.evicted
        for partition, entries in snapshot.entries.items():
            for entry in entries:
                exact &= self._teach(counted, partition, entry)
                self._entries[partition, entry.id] = entry
        self._compare("model: snapshot", self._sum(self._model), self._sum(counted), exact, snapshot.evicted)

    def _check_delta(self, delta: Delta) -> None:
        """What a delta gives and takes is the change of updates that its entries tell of."""
        what = f"model: delta {delta.checkpoint.seq} of partition {delta.partition}"
        if delta.checkpoint.seq != self._checkpoint(delta).seq + 1:
            self.differences.append(f"{what} follows {self._checkpoint(delta).seq}; a delta is missing")
        self._checkpoints[delta.partition] = delta.checkpoint
        new, old, exact = self._replica.new_delta(), self._replica.new_delta(), True
        for entry in delta.entries:
            before = self._entries.get((delta.partition, entry.id))
            if before is None or before.update != entry.update:
                exact &= self._teach(new, delta.partition, entry)
                exact &= before is None or self._teach(old, delta.partition, before)
            self._entries[delta.partition, entry.id] = entry
        for message_id in delta.evicted:
            self._entries.pop((delta.partition, message_id), None)
        added, reverted = ([MailNB.from_bytes(data)] if data else [] for data in (delta.added, delta.reverted))
        # A update added and reverted back in one delta stands on both sides, so that no side goes below zero.
        self._compare(what, self._sum(*added, old), self._sum(*reverted, new), exact)
        self._model = self._sum(self._model, *added)
        for model in reverted:
            self._model.unmerge(model)

    def _check_entries(self) -> None:
        """The replica's ledgers remember the updates that snapshot and deltas tell of."""
        held = {
            (partition, entry.id): entry.update
            for partition, ledger in self._replica.ledgers.items()
            for entry in ledger.entries.values()
            if entry.update is not None
        }
        told = {place: entry.update for place, entry in self._entries.items() if entry.update is not None}
        for place in sorted(held.keys() | told.keys()):
            if held.get(place) != told.get(place):
                partition, message_id = place
                self.differences.append(
                    f"message {message_id!r} of partition {partition}: the ledger says learned as {held.get(place)}, "
                    f"the deltas {told.get(place)}"
                )

    def _teach(self, model: MailNB, partition: int, entry: Entry) -> bool:
        """Apply an entry's update, if it has one; False when its mail cannot be read and the features are left out."""
        if entry.update is None:
            return True
        mail_cache = self._mail_caches.setdefault(partition, MailCache(self._log, partition, self._headers))
        try:
            model.apply_update(mail_cache.get(entry.id, entry.next_offset), entry.update)
        except BadRecord as gone:
            if entry.next_offset > self._log.start_offset(TopicPartition(EMAILS, partition)):
                self.differences.append(f"message {entry.id!r}: {gone}")
            model.apply_update("", entry.update)
            return False
        return True

    def _compare(self, what: str, told: MailNB, counted: MailNB, exact: bool = True, evicted: int = 0) -> None:
        same = told == counted if exact else told.labels_learned - evicted == counted.labels_learned
        if not same:
            self.differences.append(
                f"{what}: {told.labels_learned} labels and {told.features} features, recounted "
                f"{counted.labels_learned + evicted} and {counted.features}, or other counts"
            )

    def _sum(self, *models: MailNB) -> MailNB:
        total = self._replica.new_delta()
        for model in models:
            total.merge(model)
        # Classes of which nothing is left do not make models differ.
        total.unmerge(self._replica.new_delta())
        return total

    def _checkpoint(self, delta: Delta) -> Checkpoint:
        return self._checkpoints.get(delta.partition, Checkpoint())
