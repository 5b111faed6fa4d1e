"""The changelog of the model, read whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..errors import BadRecord
from ..log.base import Log, Record
from ..records.skipped import SkippedRecords
from .changelog import PLACE, Delta, Manifest, Snapshot, is_chunk, read_record, read_snapshot


class StoredDelta(NamedTuple):
    """A delta, its record without the value, and the size of the value in bytes."""

    delta: Delta
    record: Record
    size: int


class Changelog(NamedTuple):
    """All that is on the topic.

    Args:
        secret: The secret of the model's hash; None when there is none yet.
        manifests: Those of the snapshots, oldest first; at most two.
        chunks: Chunks of snapshots by key.
        deltas: By partition and seq.
        next_offset: Where to read on.
    """

    secret: bytes | None
    manifests: list[Manifest]
    chunks: dict[bytes, bytes]
    deltas: list[StoredDelta]
    next_offset: int

    def oldest_snapshot(self) -> tuple[Manifest, Snapshot] | None:
        """The oldest snapshot of which all chunks are there, and its manifest."""
        return self._first_whole(self.manifests)

    def newest_snapshot(self) -> tuple[Manifest, Snapshot] | None:
        """The newest snapshot of which all chunks are there, and its manifest."""
        return self._first_whole(reversed(self.manifests))

    def _first_whole(self, manifests: Iterable[Manifest]) -> tuple[Manifest, Snapshot] | None:
        for manifest in manifests:
            snapshot = read_snapshot(manifest, self.chunks)
            if snapshot is not None:
                return manifest, snapshot
        return None


def read_changelog(log: Log, skipped: SkippedRecords) -> Changelog:
    """Read the topic to its end as of now.

    Args:
        log: The log.
        skipped: Counts the records that are not of the changelog.

    Raises:
        UnknownFormat: A delta or manifest is of another version.
    """
    secrets: list[bytes] = []
    manifests: dict[bytes, Manifest] = {}
    chunks: dict[bytes, bytes] = {}
    deltas: dict[bytes, StoredDelta] = {}
    next_offset = 0
    for record in log.scan(PLACE):
        next_offset = record.offset + 1
        key = record.key or b""
        try:
            content = read_record(record)
        except BadRecord as error:
            skipped.skip(record, error)
            continue
        match content:
            case None:
                deltas.pop(key, None)
            case Delta():
                deltas[key] = StoredDelta(content, record._replace(value=None), len(record.value or b""))
            case Manifest():
                manifests[key] = content
            case _ if is_chunk(record):
                chunks[key] = content
            case _:
                secrets.append(content)
    return Changelog(
        secrets[0] if secrets else None,
        sorted(manifests.values(), key=lambda manifest: manifest.number),
        chunks,
        sorted(deltas.values(), key=lambda stored: (stored.delta.partition, stored.delta.checkpoint.seq)),
        next_offset,
    )
