"""What stands on the compacted `model` topic, and how it is written.

| key            | value                                                                                        |
|----------------|----------------------------------------------------------------------------------------------|
| `key/<random>` | the secret of the learner's keyed hash; the one at the lowest offset counts                    |
| `d/<p>/<seq>`  | `Delta`: what one commit of partition p's owner added; seq counts 1, 2, 3, ... without a gap   |
| `s/<slot>/<i>` | a chunk of a snapshot; two slots take turns                                                    |
| `s/<slot>`     | `Manifest` of the snapshot in that slot, written in the same commit as its chunks              |

The model is the newest whole snapshot plus, for each partition, the deltas that follow it. Keys are unique, so no
record replaces another by accident; deltas older than the snapshot before the last are deleted (tombstones).
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

import msgspec

from stream_nb.features.hash_key import SHORTEST_KEY

from ..errors import BadRecord, UnknownFormat
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..records.schemas import MODEL
from ..records.skipped import SkippedRecords
from .ledger import Entry

PLACE = TopicPartition(MODEL, 0)

FORMAT = 3
"""Rises with the format of these records, or of the snapshots of models in them."""

CHUNK_BYTES = 900_000

_FORMATS = range(1, 10_000)
_SECRET = re.compile(rb"key/.+", re.DOTALL)
_DELTA = re.compile(rb"d/\d+/\d+")
_MANIFEST = re.compile(rb"s/[01]")
_CHUNK = re.compile(rb"s/[01]/\d+")


class Checkpoint(msgspec.Struct, frozen=True, array_like=True):
    """How far one partition's deltas go: the last `seq`, and the next offsets of labels and emails they cover."""

    seq: int = 0
    labels_next: int = 0
    emails_next: int = 0


class Delta(msgspec.Struct, frozen=True, array_like=True):
    """What one commit added to the model: updates reverted back, updates added (each a small learner's bytes), entries.

    The entries are the ledger's entries of partition `partition` after the commit, those that changed; `dropped` are
    the ids of entries let go.
    """

    format: int
    partition: int
    checkpoint: Checkpoint
    added: bytes
    reverted: bytes
    entries: tuple[Entry, ...]
    evicted: tuple[str, ...] = ()


class Manifest(msgspec.Struct, frozen=True, array_like=True):
    """A snapshot's head: which one it is, how to check it, the deltas it covers (`checkpoints`), and per partition the
    last seq whose delta is deleted with it (`deleted`)."""

    format: int = FORMAT
    number: int = 0
    chunks: int = 0
    size: int = 0
    sha256: bytes = b""
    checkpoints: dict[int, Checkpoint] = {}
    deleted: dict[int, int] = {}


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A whole model, the ledgers' entries by partition, and how many updates stand whose entries were let go."""

    model: bytes
    entries: dict[int, tuple[Entry, ...]]
    evicted: int = 0


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """What all versions of a delta and of a manifest begin with."""

    format: int


_encode = msgspec.msgpack.Encoder().encode
_head = msgspec.msgpack.Decoder(_Head)
_delta = msgspec.msgpack.Decoder(Delta)
_manifest = msgspec.msgpack.Decoder(Manifest)
_snapshot = msgspec.msgpack.Decoder(Snapshot)


def delta_key(partition: int, seq: int) -> bytes:
    """The key of a delta.

    >>> delta_key(3, 17)
    b'd/3/17'
    """
    return b"d/%d/%d" % (partition, seq)


def delta_record(delta: Delta) -> ProducerRecord:
    """A delta as a record."""
    return ProducerRecord(MODEL, delta_key(delta.partition, delta.checkpoint.seq), _encode(delta), partition=0)


def snapshot_records(last: Manifest, checkpoints: dict[int, Checkpoint], snapshot: Snapshot) -> list[ProducerRecord]:
    """The snapshot that follows `last`: chunks, the manifest, then tombstones of the deltas that `last` covers."""
    data = _encode(snapshot)
    chunks = [data[start : start + CHUNK_BYTES] for start in range(0, len(data), CHUNK_BYTES)]
    number = last.number + 1
    slot = number % 2
    deleted = {partition: checkpoint.seq for partition, checkpoint in last.checkpoints.items()}
    digest = hashlib.sha256(data).digest()
    manifest = Manifest(FORMAT, number, len(chunks), len(data), digest, checkpoints, deleted)
    drafts = [ProducerRecord(MODEL, b"s/%d/%d" % (slot, i), chunk, partition=0) for i, chunk in enumerate(chunks)]
    drafts.append(ProducerRecord(MODEL, manifest_key(manifest), _encode(manifest), partition=0))
    for partition, seq in deleted.items():
        first = last.deleted.get(partition, 0) + 1
        drafts += [ProducerRecord(MODEL, delta_key(partition, i), None, partition=0) for i in range(first, seq + 1)]
    return drafts


class StoredDelta(NamedTuple):
    """A delta, the record that brought it, and that record's size in bytes (its value itself is not needed again)."""

    delta: Delta
    record: Record
    size: int


class Contents(NamedTuple):
    """All that stands on the topic: the secret that counts, and the newest of each key; `next_offset` goes on there.

    Only deltas are ever deleted; a tombstone of anything else is not ours.
    """

    secret: bytes | None
    manifests: list[Manifest]
    chunks: dict[bytes, bytes]
    deltas: list[StoredDelta]
    next_offset: int


def read_contents(log: Log, skipped: SkippedRecords) -> Contents:
    """Read the topic to its end as of now, deltas in the order of their numbers; raises UnknownFormat."""
    secrets: list[bytes] = []
    manifests: dict[bytes, Manifest] = {}
    chunks: dict[bytes, bytes] = {}
    deltas: dict[bytes, StoredDelta] = {}
    next_offset = 0
    for record in log.scan(PLACE):
        next_offset = record.offset + 1
        try:
            content = read_record(record)
        except BadRecord as error:
            skipped.skip(record, error)
            continue
        match content:
            case None:
                deltas.pop(record.key, None)
            case Delta():
                deltas[record.key] = StoredDelta(content, record._replace(value=None), len(record.value))
            case Manifest():
                manifests[record.key] = content
            case _ if is_chunk(record):
                chunks[record.key] = content
            case _:
                secrets.append(content)
    ordered = sorted(deltas.values(), key=lambda stored: (stored.delta.partition, stored.delta.checkpoint.seq))
    return Contents(secrets[0] if secrets else None, list(manifests.values()), chunks, ordered, next_offset)


def read_record(record: Record) -> bytes | Delta | Manifest | None:
    """What a record holds: a secret or a chunk (bytes), a delta, a manifest; None for a delta that was deleted.

    Raises UnknownFormat for a delta or manifest of another version, and BadRecord for a record that is none of ours.
    """
    key, value = record.key or b"", record.value
    if _DELTA.fullmatch(key):
        if value is None:
            return None
        delta = _decoded(_delta, value, record.location)
        if key != delta_key(delta.partition, delta.checkpoint.seq):
            raise BadRecord(
                "bad-key", f"key {key!r:.80} of delta {delta.checkpoint.seq} of partition {delta.partition}"
            )
        return delta
    if value is not None:
        if _MANIFEST.fullmatch(key):
            manifest = _decoded(_manifest, value, record.location)
            if manifest.number < 1 or key != manifest_key(manifest):
                raise BadRecord("bad-key", f"key {key!r:.80} of manifest {manifest.number}")
            return manifest
        if is_chunk(record) or (_SECRET.fullmatch(key) and len(value) >= SHORTEST_KEY):
            return value
    raise BadRecord("bad-key", f"key {record.key!r:.80} with {'no' if value is None else len(value)} bytes")


def is_chunk(record: Record) -> bool:
    """The record is, by its key, a chunk of a snapshot."""
    return _CHUNK.fullmatch(record.key or b"") is not None


def manifest_key(manifest: Manifest) -> bytes:
    """The key of a manifest: two slots take turns."""
    return b"s/%d" % (manifest.number % 2)


def read_snapshot(manifest: Manifest, chunks: dict[bytes, bytes]) -> Snapshot | None:
    """Put a snapshot together from the chunks by key; None when one is missing or of another snapshot."""
    if manifest.chunks > len(chunks):
        return None
    slot = manifest.number % 2
    parts = [chunks.get(b"s/%d/%d" % (slot, i)) for i in range(manifest.chunks)]
    if any(part is None for part in parts):
        return None
    data = b"".join(part for part in parts if part is not None)
    if hashlib.sha256(data).digest() != manifest.sha256:
        return None
    return _snapshot.decode(data)


def _decoded(decoder: msgspec.msgpack.Decoder, value: bytes, place: str):
    try:
        found = _head.decode(value).format
        if found != FORMAT and found in _FORMATS:
            raise UnknownFormat(
                f"{place}: model record of format {found!r}, this program reads {FORMAT}; run one version of "
                "stream-nb, or begin a fresh log (another folder, or [kafka] prefix)"
            )
        return decoder.decode(value)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRecord("bad-bytes", f"neither delta nor manifest: {error}") from error
