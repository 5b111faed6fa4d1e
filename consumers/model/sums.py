"""Deltas added up: what is on the compacted `sums` topic, and how a sum is made.

A sum says what the records of the `model` topic change from one offset to another, as a delta says it of one commit.
The deltas of many labels share most of their words, so it is cheaper to send and to take over than they are. The
`model` topic alone is the truth: sums can be made again, and who lacks one reads its deltas instead. The newest `KEPT`
stay on the topic, in slots that take turns.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from stream_nb import SnapshotError

from ..errors import BadRecord
from ..log.base import ProducerRecord, Record, TopicPartition
from ..records.schemas import SUMS
from ..records.skipped import SkippedRecords
from .changelog import FORMAT, Checkpoint, Delta, Manifest, decode_content, read_record
from .ledger import Entry
from .stream_model import StreamModel

PLACE = TopicPartition(SUMS, 0)
KEPT = 1_000
MOST_SUM_BYTES = 3_000_000
"""A sum of more than one delta has about so many at most."""
MOST_RECORD_BYTES = 3_900_000
"""What a record can have, and a sum of hostile words might pass."""


class SumPart(msgspec.Struct, frozen=True, array_like=True):
    """The deltas of one partition in a sum, which follow each other without a gap.

    Args:
        partition: The partition of `labels` and `emails` that they are about.
        first: The number (seq) of the first.
        checkpoint: How far the last goes.
        entries: The entries of the partition's ledger that they change, as they are after the last; in the order of
            their last change.
        evicted: Ids of the entries evicted from it. None is among the entries of a later delta.
        forgotten: Features that they take out of the model, for want of room or with age.
        decayed_to: Labels at which the last decay in them was due; 0 when there is none.
        halvings: How many of them are decay.
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
        format: That of the changelog.
        number: 1, 2, 3, ...; it gives the sum its slot.
        first_offset: The first offset on `model` that it covers.
        next_offset: The first that it does not.
        changes: The sum of the changes of all deltas; empty where they have none, and None, without any parts, where
            all of it is too much for a record: then the deltas must be read.
        parts: Their other contents, by partition.
        manifest: The last one of a snapshot among the records; None where there is none.
        delta_bytes: Bytes of the deltas; of those after the manifest where there is one.
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
    """A sum as a record; its `timestamp` is in seconds since 1970, None for now."""
    return ProducerRecord(SUMS, b"%d" % (total.number % KEPT), _encode(total), 0, timestamp)


def read_sum(record: Record) -> Sum:
    """The sum that a record holds; raises UnknownFormat for one of another version, and BadRecord for any other."""
    total = decode_content(_sum, record.value or b"", record.location)
    if record.key != b"%d" % (total.number % KEPT):
        raise BadRecord("bad-key", f"key {record.key!r:.80} of sum {total.number}")
    if not 0 <= total.first_offset < total.next_offset:
        raise BadRecord("bad-range", f"a sum of the offsets from {total.first_offset} to {total.next_offset}")
    if len({part.partition for part in total.parts}) < len(total.parts):
        raise BadRecord("bad-parts", "a sum that has a partition twice")
    return total


class _Part:
    """What a `SumPart` is made of."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.checkpoint = Checkpoint()
        self.entries: dict[str, Entry] = {}
        self.evicted: dict[str, None] = {}
        self.forgotten = 0
        self.decayed_to = 0
        self.halvings = 0

    def takes(self, delta: Delta) -> bool:
        """The delta is the next one, and puts no entry that was evicted."""
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
        gone = (self.forgotten, self.decayed_to, self.halvings)
        return SumPart(partition, self.first, self.checkpoint, entries, evicted, *gone)


class SumBuilder:
    """Adds up the records of the `model` topic from an offset on.

    It takes deltas as they come. Whether one has its place in the chain of its partition is for those to judge who know
    how far that is: where they cannot take over a sum, they read its deltas.

    Args:
        model: A model of this log, which stays as it is.
        next_offset: The offset to begin with.
        number: That of the last sum; 0 when there is none.
        skipped: Counts the records that are not of the changelog.
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
    def empty(self) -> bool:
        """No record was added since the last `close`."""
        return self._next_offset == self._first_offset

    @property
    def nbytes(self) -> int:
        """About what the sum takes."""
        return self._changes.nbytes + self._other_bytes

    def add(self, record: Record) -> Iterator[ProducerRecord]:
        """Add a record; gives the sum of those before, where that is full or cannot take it."""
        try:
            content = read_record(record)
            if isinstance(content, Delta):
                part = self._parts.get(content.partition)
                full = self._parts and self.nbytes + len(record.value or b"") > MOST_SUM_BYTES
                if full or (part is not None and not part.takes(content)):
                    yield self.close()
                self._add_delta(content, record)
            elif isinstance(content, Manifest):
                self._manifest, self._delta_bytes = content, 0
        except BadRecord as error:
            self._skipped.skip(record, error)
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
        """The sum of what was added since the last call, of the time of its last delta."""
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
