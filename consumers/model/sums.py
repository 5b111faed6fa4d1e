"""Sums of deltas: the records on the compacted `sums` topic, and how they are made.

A sum states what the records of the `model` topic change from one offset to another, as a delta does for one commit.
The deltas of many labels share most of their words, so their sum is cheaper to send and to apply. Only the `model`
topic is authoritative: sums can be made again, and a reader that lacks one reads its deltas instead. The newest `KEPT`
sums stay on the topic, in slots that take turns.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from stream_nb import SnapshotError

from ..errors import BadRecord, UnknownFormat
from ..log.base import ProducerRecord, Record, TopicPartition
from ..records.schemas import SUMS
from ..records.skipped import SkippedRecords
from .changelog import FORMAT, Checkpoint, Delta, Manifest, decode_content, read_record
from .ledger import Entry
from .stream_model import StreamModel

SUMS_PARTITION = TopicPartition(SUMS, 0)
KEPT = 1_000
MOST_SUM_BYTES = 3_000_000
"""Approximate maximum size of a sum of more than one delta."""
MOST_RECORD_BYTES = 3_900_000
"""Maximum size of a record; a sum of hostile words might exceed it."""


class SumPart(msgspec.Struct, frozen=True, array_like=True):
    """Consecutive deltas of one partition in a sum.

    Args:
        partition: The partition of `labels` and `emails` that they cover.
        first: The seq of the first delta.
        checkpoint: How far the last delta reaches.
        entries: The changed entries of the partition's ledger, in their state after the last delta; in the order of
            their last change.
        evicted: Ids of the entries evicted from the ledger. No later delta in the sum stores one of them again.
        forgotten: Number of features that the deltas remove from the model, to free memory or with age.
        decayed_to: Number of labels at which their last decay was due; 0 if there is none.
        halvings: How many of the deltas are decay.
    """

    partition: int
    first: int
    checkpoint: Checkpoint
    entries: tuple[Entry, ...]
    evicted: tuple[str, ...] = ()
    forgotten: int = 0
    decayed_to: int = 0
    halvings: int = 0


class Sum(msgspec.Struct, frozen=True, array_like=True):
    """What the records of the `model` topic change from one offset to another.

    Args:
        format: The format of the changelog, `FORMAT`.
        number: 1, 2, 3, ...; it determines the slot.
        first_offset: The first offset on `model` that the sum covers.
        next_offset: The first offset that it does not cover.
        changes: The sum of the changes of all deltas; empty if they have none. None, with no parts, if the sum would be
            too large for a record: then the deltas must be read.
        parts: The other contents of the deltas, by partition.
        manifest: The last snapshot manifest among the records; None if there is none.
        delta_bytes: Total size of the deltas in bytes; only of those after the manifest, if there is one.
    """

    format: int
    number: int
    first_offset: int
    next_offset: int
    changes: bytes | None
    parts: tuple[SumPart, ...] = ()
    manifest: Manifest | None = None
    delta_bytes: int = 0


_encode = msgspec.msgpack.Encoder().encode
_sum = msgspec.msgpack.Decoder(Sum)


def sum_record(total: Sum, timestamp: float | None) -> ProducerRecord:
    """Encode a sum as a record; its `timestamp` is in seconds since 1970, None for now."""
    return ProducerRecord(SUMS, b"%d" % (total.number % KEPT), _encode(total), 0, timestamp)


def read_sum(record: Record) -> Sum:
    """Decode the sum in a record; raises BadRecord for anything else, and for a sum of another version."""
    try:
        total = decode_content(_sum, record.value or b"", record.location)
    except UnknownFormat as error:  # its deltas can be read instead
        raise BadRecord("bad-format", str(error)) from error
    if record.key != b"%d" % (total.number % KEPT):
        raise BadRecord("bad-key", f"key {record.key!r:.80} of sum {total.number}")
    if not 0 <= total.first_offset < total.next_offset:
        raise BadRecord("bad-range", f"a sum of the offsets from {total.first_offset} to {total.next_offset}")
    if len({part.partition for part in total.parts}) < len(total.parts):
        raise BadRecord("bad-parts", "a sum that lists a partition twice")
    return total


class _Part:
    """A `SumPart` under construction."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.checkpoint = Checkpoint()
        self.entries: dict[str, Entry] = {}
        self.evicted: dict[str, None] = {}
        self.forgotten = 0
        self.decayed_to = 0
        self.halvings = 0

    def accepts(self, delta: Delta) -> bool:
        """Whether the delta is the next one, and stores no evicted entry again."""
        return delta.checkpoint.seq == self.checkpoint.seq + 1 and not (
            self.evicted and any(entry.id in self.evicted for entry in delta.entries)
        )

    def add(self, delta: Delta) -> None:
        self.checkpoint = delta.checkpoint
        for entry in delta.entries:
            self.entries.pop(entry.id, None)
            self.entries[entry.id] = entry
        self.evicted.update(dict.fromkeys(delta.evicted))
        self.forgotten += delta.forgotten
        self.decayed_to = delta.decayed_to or self.decayed_to
        self.halvings += delta.decayed_to > 0

    def close(self, partition: int) -> SumPart:
        entries, evicted = tuple(self.entries.values()), tuple(self.evicted)
        removed = (self.forgotten, self.decayed_to, self.halvings)
        return SumPart(partition, self.first, self.checkpoint, entries, evicted, *removed)


class SumBuilder:
    """Adds up the records of the `model` topic from an offset on.

    It does not check whether a delta continues the chain of its partition. Readers do, which know how far they are: a
    reader that cannot apply a sum reads its deltas.

    Args:
        model: A model of this log; it is not changed.
        next_offset: The offset to begin with.
        number: The number of the last sum; 0 if there is none.
        skipped: Counts records that do not belong to the changelog.
    """

    def __init__(self, model: StreamModel, next_offset: int, number: int, skipped: SkippedRecords) -> None:
        self._changes = model.update_sum()
        self._skipped = skipped
        self._number = number
        self._begin(next_offset)

    def _begin(self, offset: int) -> None:
        self._first_offset = self._next_offset = offset
        self._parts: dict[int, _Part] = {}
        self._manifest: Manifest | None = None
        self._delta_bytes = self._other_bytes = 0
        self._timestamp: float | None = None

    @property
    def nbytes(self) -> int:
        """Approximate size of the sum, in bytes."""
        return self._changes.nbytes + self._other_bytes

    def add(self, record: Record) -> Iterator[ProducerRecord]:
        """Add a record; first yields the sum of the previous ones if that is full or does not accept the record."""
        with self._skipped.unless_readable(record):
            content = read_record(record)
            if isinstance(content, Delta):
                part = self._parts.get(content.partition)
                full = self._parts and self.nbytes + len(record.value or b"") > MOST_SUM_BYTES
                if full or (part is not None and not part.accepts(content)):
                    yield self.close()
                self._add_delta(content, record)
            elif isinstance(content, Manifest):
                self._manifest, self._delta_bytes = content, 0
        self._next_offset = record.offset + 1

    def _add_delta(self, delta: Delta, record: Record) -> None:
        if delta.changes:
            try:
                self._changes.add(delta.changes)
            except SnapshotError as error:
                raise BadRecord("bad-bytes", f"delta: {error}") from error
        self._parts.setdefault(delta.partition, _Part(delta.checkpoint.seq)).add(delta)
        self._delta_bytes += len(record.value or b"")
        self._other_bytes += len(record.value or b"") - len(delta.changes)
        self._timestamp = record.timestamp

    def close(self) -> ProducerRecord:
        """Return the sum of the records added since the last call, with the timestamp of its last delta."""
        self._number += 1
        parts = tuple(part.close(partition) for partition, part in self._parts.items())
        total = Sum(
            FORMAT, self._number, self._first_offset, self._next_offset, self._changes.take(), parts, self._manifest,
            self._delta_bytes,
        )  # fmt: skip
        record = sum_record(total, self._timestamp)
        if len(record.value or b"") > MOST_RECORD_BYTES:
            record = sum_record(msgspec.structs.replace(total, changes=None, parts=()), self._timestamp)
        self._begin(self._next_offset)
        return record
