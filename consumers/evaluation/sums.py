"""Recounts the sums on a log: each must equal the sum of its deltas, and begin where the previous one ends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import msgspec

from ..errors import BadRecord
from ..log.base import Log, Record
from ..model.changelog import MODEL_PARTITION, Delta, read_record
from ..model.changelog_reader import read_secret
from ..model.factory import model_of_log
from ..model.sums import SUMS_PARTITION, Sum, SumBuilder, read_sum
from ..records.skipped import SkippedRecords, readable
from ..settings import LearnerSettings
from .findings import Findings


class SumOutline(NamedTuple):
    """A sum without its changes: its place, the offsets and the number of deltas that it covers, and its digest, which
    is empty if the sum has no changes of its own and refers to its deltas."""

    location: str
    number: int
    first_offset: int
    next_offset: int
    deltas: int
    digest: bytes


def check_sums(log: Log, learner: LearnerSettings, skipped: SkippedRecords, findings: Findings) -> None:
    """Compare each sum on a log with its deltas, by the settings of the log's model, which there must be."""
    sums = _outlines(log, skipped)
    if not sums:
        return
    for previous, total in pairwise(sums):
        if total.first_offset != previous.next_offset:
            findings.differences.append(
                f"{_name(total)} begins at {total.first_offset}, but the previous one ends at {previous.next_offset}"
            )
    model = model_of_log(learner, read_secret(log))
    for total, covered in _with_records(log, sums):
        builder = SumBuilder(model, total.first_offset, total.number - 1, skipped)
        made = [record for each in covered for record in builder.add(each)]
        value = builder.close().value or b""
        if not total.digest:
            continue
        if made or _digest(msgspec.msgpack.decode(value, type=Sum)) != total.digest:
            if sum(map(_is_delta, covered)) < total.deltas:
                findings.left_out["sums whose deltas have been deleted, because a snapshot includes them"] += 1
            else:
                findings.differences.append(f"{_name(total)} does not equal the sum of its deltas")


def _outlines(log: Log, skipped: SkippedRecords) -> list[SumOutline]:
    found: list[SumOutline] = []
    for record, total in readable(log.scan(SUMS_PARTITION), read_sum, skipped):
        deltas = sum(part.checkpoint.seq - part.first + 1 for part in total.parts)
        offsets = total.first_offset, total.next_offset
        found.append(SumOutline(record.location, total.number, *offsets, deltas, _digest(total)))
    return found


def _with_records(log: Log, sums: list[SumOutline]) -> Iterator[tuple[SumOutline, list[Record]]]:
    """Each sum, with the records that it covers; a sum that overlaps the one before it is left out."""
    next_offset = sums[0].first_offset
    records = log.scan(MODEL_PARTITION, next_offset)
    record = next(records, None)
    for total in sums:
        if total.first_offset < next_offset:
            continue
        next_offset = total.next_offset
        covered: list[Record] = []
        while record is not None and record.offset < next_offset:
            if record.offset >= total.first_offset:
                covered.append(record)
            record = next(records, None)
        yield total, covered


def _name(total: SumOutline) -> str:
    return f"{total.location}: sum {total.number}"


def _digest(total: Sum) -> bytes:
    if total.changes is None:
        return b""
    return hashlib.sha256(msgspec.msgpack.encode((total.changes, total.parts))).digest()


def _is_delta(record: Record) -> bool:
    try:
        return isinstance(read_record(record), Delta)
    except BadRecord:
        return False
