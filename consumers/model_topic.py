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

import msgspec

from consumers.errors import UserError
from consumers.ledger import Entry
from consumers.log.base import Draft
from consumers.records import MODEL

FORMAT = 2
"""Rises with the format of these records, or of the snapshots of models in them."""

CHUNK_BYTES = 900_000


class UnknownFormat(UserError):
    """A record of another version of this program. Operator action: run one version, or let the newer one write a
    snapshot first."""


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """How far one partition's deltas go: the last `seq`, and the next offsets of labels and emails they cover."""

    seq: int = 0
    labels_next: int = 0
    emails_next: int = 0


class Delta(msgspec.Struct, frozen=True, array_like=True):
    """What one commit added to the model: lessons taken back, lessons given (each a small learner's bytes), entries.

    The entries are the ledger's entries of partition `partition` after the commit, those that changed; `dropped` are
    the ids of entries let go.
    """

    format: int
    partition: int
    mark: Mark
    given: bytes
    taken: bytes
    entries: tuple[Entry, ...]
    dropped: tuple[str, ...] = ()


class Manifest(msgspec.Struct, frozen=True, array_like=True):
    """A snapshot's head: which one it is, how to check it, the deltas it covers (`marks`), and per partition the last
    seq whose delta is deleted with it (`deleted`)."""

    format: int = FORMAT
    number: int = 0
    chunks: int = 0
    size: int = 0
    sha256: bytes = b""
    marks: dict[int, Mark] = {}
    deleted: dict[int, int] = {}


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A whole model, the ledgers' entries by partition, and how many lessons stand whose entries were let go."""

    model: bytes
    entries: dict[int, tuple[Entry, ...]]
    let_go: int = 0


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


def draft_delta(delta: Delta) -> Draft:
    """A delta as a record."""
    return Draft(MODEL, delta_key(delta.partition, delta.mark.seq), _encode(delta), partition=0)


def draft_snapshot(last: Manifest, marks: dict[int, Mark], snapshot: Snapshot) -> list[Draft]:
    """The snapshot that follows `last`: chunks, the manifest, then tombstones of the deltas that `last` covers."""
    data = _encode(snapshot)
    chunks = [data[start : start + CHUNK_BYTES] for start in range(0, len(data), CHUNK_BYTES)]
    number = last.number + 1
    slot = number % 2
    deleted = {partition: mark.seq for partition, mark in last.marks.items()}
    digest = hashlib.sha256(data).digest()
    manifest = Manifest(FORMAT, number, len(chunks), len(data), digest, marks, deleted)
    drafts = [Draft(MODEL, b"s/%d/%d" % (slot, i), chunk, partition=0) for i, chunk in enumerate(chunks)]
    drafts.append(Draft(MODEL, b"s/%d" % slot, _encode(manifest), partition=0))
    for partition, seq in deleted.items():
        first = last.deleted.get(partition, 0) + 1
        drafts += [Draft(MODEL, delta_key(partition, i), None, partition=0) for i in range(first, seq + 1)]
    return drafts


def read_delta(value: bytes, place: str) -> Delta:
    """Decode a delta; raises UnknownFormat with its place."""
    return _checked(_delta, value, place)


def read_manifest(value: bytes, place: str) -> Manifest:
    """Decode a manifest; raises UnknownFormat with its place."""
    return _checked(_manifest, value, place)


def read_snapshot(manifest: Manifest, chunks: dict[bytes, bytes]) -> Snapshot | None:
    """Put a snapshot together from the chunks by key; None when one is missing or of another snapshot."""
    slot = manifest.number % 2
    parts = [chunks.get(b"s/%d/%d" % (slot, i)) for i in range(manifest.chunks)]
    if any(part is None for part in parts):
        return None
    data = b"".join(part for part in parts if part is not None)
    if hashlib.sha256(data).digest() != manifest.sha256:
        return None
    return _snapshot.decode(data)


def _checked(decoder: msgspec.msgpack.Decoder, value: bytes, place: str):
    try:
        found = _head.decode(value).format
    except msgspec.DecodeError:
        found = None
    if found != FORMAT:
        raise UnknownFormat(
            f"{place}: model record of format {found!r}, this program reads {FORMAT}; run one version of stream-nb, "
            "or begin a fresh log (another folder, or [kafka] prefix)"
        )
    return decoder.decode(value)
