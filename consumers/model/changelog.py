"""The changelog of the model: the records on the compacted `model` topic, and how to write and read them.

| key            | value                                                                                       |
|----------------|---------------------------------------------------------------------------------------------|
| `key/<kind>/…` | the secret of the model's keyed hash, and its kind; the one at the lowest offset counts     |
| `d/<p>/<seq>`  | `Delta`: what one commit of partition p's owner changed; seq is 1, 2, 3, ... without a gap  |
| `s/<slot>/<i>` | a chunk of a snapshot; two slots take turns                                                 |
| `s/<slot>`     | `Manifest` of the snapshot in that slot, written after all its chunks                       |

The model is the newest complete snapshot plus, for each partition, the deltas after it. Keys are unique, so no record
replaces another by accident; deltas covered by the last snapshot but one are deleted (tombstones).
"""

from __future__ import annotations

import hashlib
import re
from itertools import chain
from typing import TypeVar

import msgspec

from ..errors import UNDECODABLE, BadRecord, UnknownFormat
from ..log.base import ProducerRecord, Record, TopicPartition
from ..records.schemas import MODEL
from .ledger import Entry, read_entry
from .secret import Secret, decode_secret

MODEL_PARTITION = TopicPartition(MODEL, 0)

FORMAT = 14
"""To be increased with each change of these records, or of the model snapshots in them."""

CHUNK_BYTES = 100_000
"""Small enough for one commit even over a slow link."""

_FORMATS = range(1, 10_000)
_DELTA = re.compile(rb"d/\d+/\d+")
_MANIFEST = re.compile(rb"s/[01]")
_CHUNK = re.compile(rb"s/[01]/\d+")


class Checkpoint(msgspec.Struct, frozen=True, array_like=True):
    """How far one partition's deltas reach: the last `seq`, and the next offsets of `labels` and `emails`."""

    seq: int = 0
    labels_next: int = 0
    emails_next: int = 0


class DeltaHead(msgspec.Struct, frozen=True, array_like=True):
    """The first fields of a delta (see `Delta`)."""

    format: int
    partition: int
    checkpoint: Checkpoint


class Delta(DeltaHead, frozen=True, array_like=True):
    """What one commit changed.

    Args:
        format: `FORMAT`.
        partition: The partition of `labels` and `emails` that it covers.
        checkpoint: How far this delta reaches.
        changes: The sum of the updates applied minus those reverted, from the model's recorder; may be empty.
        entries: The changed entries of the partition's ledger, in their state after the commit; in the order of their
            last change.
        evicted: Ids of the entries evicted from the ledger.
        forgotten: Number of features that the changes remove from the model, to free memory or with age.
        decayed_to: For a delta of decay, the number of labels at which it was due; else 0.
    """

    changes: bytes
    entries: tuple[Entry, ...]
    evicted: tuple[str, ...] = ()
    forgotten: int = 0
    decayed_to: int = 0

    @property
    def takes_out(self) -> bool:
        """Whether the changes are forgetting or decay, which belong to no entry; such a delta changes nothing else."""
        return bool(self.forgotten or self.decayed_to)


class Manifest(msgspec.Struct, frozen=True, array_like=True):
    """The head of a snapshot.

    Args:
        format: `FORMAT`.
        number: 1 for the first snapshot of a log, then 2, 3, ...
        chunks: Number of chunks.
        size: Total size of the chunks in bytes.
        sha256: Digest of the joined chunks.
        checkpoints: How far the snapshot reaches, by partition.
        deleted: The last seq whose delta is deleted with this snapshot, by partition.
        next_offset: The snapshot includes all deltas before this offset; its own chunks come later.
    """

    format: int = FORMAT
    number: int = 0
    chunks: int = 0
    size: int = 0
    sha256: bytes = b""
    checkpoints: dict[int, Checkpoint] = {}
    deleted: dict[int, int] = {}
    next_offset: int = 0


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A whole model and its ledgers.

    Args:
        model: The model.
        entries: The ledgers' entries by partition, each in msgpack.
        evicted: How many updates in the model belong to evicted entries.
        evicted_mails: The next_offsets of their mails by partition, as far back as mails may be read again.
        forgotten: How many features were removed from the model, to free memory or with age.
        loaded: Whether the log began with a model, so that some counts come from no update.
        decayed_to: Number of labels at which the last decay was due; 0 if there was none.
        halvings: How often a part of the features has decayed.
    """

    model: bytes
    entries: dict[int, tuple[msgspec.Raw, ...]]
    evicted: int = 0
    evicted_mails: dict[int, tuple[int, ...]] = {}
    forgotten: int = 0
    loaded: bool = False
    decayed_to: int = 0
    halvings: int = 0


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """The first field of deltas and manifests of all versions."""

    format: int


_encode = msgspec.msgpack.Encoder().encode
_head = msgspec.msgpack.Decoder(_Head)
_delta = msgspec.msgpack.Decoder(Delta)
_delta_head = msgspec.msgpack.Decoder(DeltaHead)
_manifest = msgspec.msgpack.Decoder(Manifest)
_snapshot = msgspec.msgpack.Decoder(Snapshot)

Content = TypeVar("Content")


def delta_key(partition: int, seq: int) -> bytes:
    """The key of delta number `seq` (from 1) of `partition`.

    >>> delta_key(3, 17)
    b'd/3/17'
    """
    return b"d/%d/%d" % (partition, seq)


def manifest_key(manifest: Manifest) -> bytes:
    """The key of a manifest, which names its slot."""
    return b"s/%d" % (manifest.number % 2)


def delta_record(delta: Delta) -> ProducerRecord:
    """Encode a delta as a record."""
    return ProducerRecord(MODEL, delta_key(delta.partition, delta.checkpoint.seq), _encode(delta), partition=0)


def snapshot_records(
    last: Manifest, checkpoints: dict[int, Checkpoint], snapshot: Snapshot, next_offset: int = 0
) -> list[ProducerRecord]:
    """The records of a snapshot that reaches to `checkpoints` by partition, and to `next_offset` on the topic: chunks,
    tombstones of the deltas covered by `last`, the previous snapshot's manifest (or `Manifest()`), and its manifest.

    They may be written over many commits. The chunks replace those of the snapshot before `last`, the only one for
    which the deleted deltas were needed.
    """
    data = _encode(snapshot)
    chunks = [data[start : start + CHUNK_BYTES] for start in range(0, len(data), CHUNK_BYTES)]
    deleted = {partition: checkpoint.seq for partition, checkpoint in last.checkpoints.items()}
    digest = hashlib.sha256(data).digest()
    manifest = Manifest(FORMAT, last.number + 1, len(chunks), len(data), digest, checkpoints, deleted, next_offset)
    key = manifest_key(manifest)
    records = [ProducerRecord(MODEL, b"%s/%d" % (key, i), chunk, partition=0) for i, chunk in enumerate(chunks)]
    for partition, seq in deleted.items():
        first = last.deleted.get(partition, 0) + 1
        records += [ProducerRecord(MODEL, delta_key(partition, i), None, partition=0) for i in range(first, seq + 1)]
    records.append(ProducerRecord(MODEL, key, _encode(manifest), partition=0))
    return records


def read_record(record: Record, whole: bool = True) -> Secret | bytes | DeltaHead | Manifest | None:
    """Decode a record: a secret, a chunk (bytes), a delta (its head only, unless `whole`) or a manifest; None for a
    deleted delta. Raises UnknownFormat for a delta or manifest of another version, and BadRecord for any other
    record."""
    key, value = record.key or b"", record.value
    if _DELTA.fullmatch(key):
        if value is None:
            return None
        where = record.location
        delta = decode_content(_delta, value, where) if whole else decode_content(_delta_head, value, where)
        if key != (own := delta_key(delta.partition, delta.checkpoint.seq)):
            raise BadRecord("bad-key", f"key {key!r:.80} of the delta {own.decode()}")
        return delta
    if value is not None:
        if _MANIFEST.fullmatch(key):
            manifest = decode_content(_manifest, value, record.location)
            if manifest.number < 1 or key != manifest_key(manifest):
                raise BadRecord("bad-key", f"key {key!r:.80} of manifest {manifest.number}")
            return manifest
        if _CHUNK.fullmatch(key):
            return value
        if (secret := decode_secret(key, value)) is not None:
            return secret
    raise BadRecord("bad-key", f"key {record.key!r:.80} with {'no' if value is None else len(value)} bytes")


def read_snapshot(manifest: Manifest, chunks: dict[bytes, bytes]) -> Snapshot | None:
    """Join and decode the snapshot of a manifest from `chunks` by the key of their record, which may include those of
    other snapshots; None if a chunk is missing, damaged, or of another snapshot."""
    if manifest.chunks > len(chunks):
        return None
    keys = [b"%s/%d" % (manifest_key(manifest), i) for i in range(manifest.chunks)]
    data = b"".join(chunks.get(key, b"") for key in keys)
    if hashlib.sha256(data).digest() != manifest.sha256:
        return None
    try:
        snapshot = _snapshot.decode(data)
        for entry in chain.from_iterable(snapshot.entries.values()):
            read_entry(entry)  # not kept: all entries decoded take many times their bytes
        return snapshot
    except UNDECODABLE:
        return None


def decode_content(decoder: msgspec.msgpack.Decoder[Content], value: bytes, where: str) -> Content:
    """Decode the `value` at `where` with `decoder`; raises UnknownFormat for another format, or BadRecord."""
    try:
        if (found := _head.decode(value).format) != FORMAT and found in _FORMATS:
            raise UnknownFormat(
                f"{where}: model record of format {found!r}, this program reads {FORMAT}; run one version of "
                "stream-nb, or begin a fresh log (another folder, or [kafka] prefix)"
            )
        return decoder.decode(value)
    except UNDECODABLE as error:
        raise BadRecord("bad-bytes", f"not of the changelog: {error}") from error
