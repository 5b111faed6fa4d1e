"""Reads the changelog of the model: all of it, or the part that its newest snapshot needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from stream_nb import SnapshotError

from ..errors import BadRecord
from ..log.base import Log, Record
from ..records.skipped import SkippedRecords, readable
from ..settings import LearnerSettings
from .changelog import (
    MODEL_PARTITION,
    Checkpoint,
    Delta,
    DeltaHead,
    Manifest,
    Snapshot,
    read_record,
    read_snapshot,
)
from .factory import restore_model
from .secret import Secret
from .stream_model import StreamModel

FIRST_STEP = 5000
"""How many offsets the first step back from the end reads."""


class StoredSnapshot(NamedTuple):
    """A complete snapshot with its manifest and the model decoded from it."""

    manifest: Manifest
    snapshot: Snapshot
    model: StreamModel


class Changelog(NamedTuple):
    """The content of the topic from `first_offset` on.

    Args:
        secret: The secret of the model's hash, and the kind of model; None if there is none yet.
        manifests: The records of the snapshots' manifests, and the manifests, oldest first; at most two.
        chunks: Chunks of snapshots by key.
        skimmed: The records of the deltas, and the heads of these, sorted by partition and seq.
        first_offset: The offset it was read from; 0 if the whole topic was read.
        next_offset: The offset to read next.
    """

    secret: Secret | None
    manifests: list[tuple[Record, Manifest]]
    chunks: dict[bytes, bytes]
    skimmed: list[tuple[Record, DeltaHead]]
    first_offset: int
    next_offset: int

    def snapshot(
        self, settings: LearnerSettings, skipped: SkippedRecords, oldest: bool = False
    ) -> StoredSnapshot | None:
        """The newest snapshot that is complete and holds a model of this log, or the `oldest`; None if there is none.
        Complete snapshots with other contents are skipped. Raises OtherModel for a model of another kind."""
        for record, manifest in self.manifests if oldest else reversed(self.manifests):
            snapshot = read_snapshot(manifest, self.chunks)
            if snapshot is None:
                continue
            with skipped.unless_readable(record):
                return StoredSnapshot(manifest, snapshot, self._model(snapshot.model, settings))
        return None

    def deltas_after(
        self, checkpoints: Mapping[int, Checkpoint], skipped: SkippedRecords
    ) -> Iterator[tuple[Record, Delta]]:
        """Yield the records of the deltas after these checkpoints, and the deltas, by partition and seq; only these
        are decoded completely. The checkpoints are read anew for each delta."""
        after = (
            record
            for record, head in self.skimmed
            if head.checkpoint.seq > checkpoints.get(head.partition, Checkpoint()).seq
        )
        for record, delta in readable(after, read_record, skipped):
            if isinstance(delta, Delta):
                yield record, delta

    def _model(self, data: bytes, settings: LearnerSettings) -> StreamModel:
        try:
            model = restore_model(settings, data, self.secret.value if self.secret is not None else b"")
        except SnapshotError as error:
            raise BadRecord("bad-bytes", f"snapshot: {error}") from error
        if self.secret is not None and model.key != self.secret.value:
            raise BadRecord("other-secret", "snapshot of a log whose words are hashed with another secret")
        return model


def read_secret(log: Log) -> Secret | None:
    """The secret of the model's hash, and the kind of model, from the first such record; None if there is none yet."""
    contents = (content for _, content in readable(log.scan(MODEL_PARTITION), read_record))
    return next((content for content in contents if isinstance(content, Secret)), None)


def read_changelog(log: Log, skipped: SkippedRecords) -> Changelog:
    """Read the whole topic, up to its current end. Raises UnknownFormat for a delta or manifest of another version."""
    return _skim(log.scan(MODEL_PARTITION), 0, skipped)


def read_tail(log: Log, skipped: SkippedRecords) -> Changelog:
    """Read the part of the topic that its newest manifest needs; all of it if there is no manifest.

    The topic is read backwards in steps that double, so that the cost depends on the snapshot and the records after it,
    not on how much the broker has yet to compact. Arguments and errors as in `read_changelog`.
    """
    start, first = log.start_offset(MODEL_PARTITION), log.end_offset(MODEL_PARTITION)
    records: list[Record] = []
    newest, step = Manifest(), FIRST_STEP
    while first > max(start, newest.next_offset):
        begin = max(start, first - step)
        read = list(_between(log, begin, first))
        newest = max((newest, *_manifests(read)), key=lambda manifest: manifest.number)
        records, first, step = read + records, begin, 2 * step
    if first <= start:
        return _skim(records, 0, skipped)
    tail = _skim(records, first, skipped)
    return tail._replace(secret=read_secret(log))


def _between(log: Log, first: int, end: int) -> Iterator[Record]:
    for record in log.scan(MODEL_PARTITION, first):
        if record.offset >= end:
            return
        yield record


def _manifests(records: Iterable[Record]) -> Iterator[Manifest]:
    for _, content in readable(records, lambda record: read_record(record, whole=False)):
        if isinstance(content, Manifest):
            yield content


def _skim(records: Iterable[Record], first_offset: int, skipped: SkippedRecords) -> Changelog:
    secrets: list[Secret] = []
    manifests: dict[bytes, tuple[Record, Manifest]] = {}
    chunks: dict[bytes, bytes] = {}
    deltas: dict[bytes, tuple[Record, DeltaHead]] = {}
    next_offset = 0
    for record in records:
        next_offset = record.offset + 1
        key = record.key or b""
        try:
            content = read_record(record, whole=False)
        except BadRecord as error:
            skipped.skip(record, error)
            continue
        match content:
            case None:
                deltas.pop(key, None)
            case DeltaHead():
                deltas[key] = record, content
            case Manifest():
                manifests[key] = record, content
            case Secret():
                secrets.append(content)
            case _:
                chunks[key] = content
    return Changelog(
        secrets[0] if secrets else None,
        sorted(manifests.values(), key=lambda stored: stored[1].number),
        chunks,
        sorted(deltas.values(), key=lambda stored: (stored[1].partition, stored[1].checkpoint.seq)),
        first_offset,
        next_offset,
    )
