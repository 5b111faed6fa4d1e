"""Recount the sums on a log: each from the deltas that it covers, and that each goes on where the one before ends."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

import msgspec

from ..errors import BadRecord
from ..log.base import Log, Record
from ..model.changelog import PLACE, Delta, read_record
from ..model.changelog_reader import read_secret
from ..model.factory import new_model
from ..model.sums import PLACE as SUMS_PLACE
from ..model.sums import Sum, SumBuilder, read_sum
from ..records.skipped import SkippedRecords
from ..settings import LearnerSettings


class SumOutline(NamedTuple):
    """A sum without what takes room: where it is, what it covers, how many deltas these are, and a digest; empty where
    it leaves all to its deltas."""

    location: str
    number: int
    first_offset: int
    next_offset: int
    deltas: int
    digest: bytes


def check_sums(
    log: Log, learner: LearnerSettings, skipped: SkippedRecords, differences: list[str], left_out: Counter[str]
) -> None:
    """Compare each sum on a log with what its deltas give.

    Args:
        log: A log with a model.
        learner: Which model it is.
        skipped: Counts the records that are no sum.
        differences: What does not agree is added, each in a line.
        left_out: What cannot be compared is added, with the reason.
    """
    sums = _outlines(log, skipped)
    if not sums:
        return
    for one, other in pairwise(sums):
        if other.first_offset != one.next_offset:
            differences.append(
                f"{_name(other)} begins at {other.first_offset}, the one before ends at {one.next_offset}"
            )
    model = new_model(learner, read_secret(log))
    records, at = iter(log.scan(PLACE, sums[0].first_offset)), sums[0].first_offset
    for total in sums:
        if total.first_offset < at:
            continue  # said above
        _, records = _split(records, total.first_offset)
        covered, records = _split(records, total.next_offset)
        at = total.next_offset
        builder = SumBuilder(model, total.first_offset, total.number - 1, skipped)
        made = [record for each in covered for record in builder.add(each)]
        value = builder.close().value or b""
        if not total.digest:
            continue
        if made or _digest(msgspec.msgpack.decode(value, type=Sum)) != total.digest:
            if sum(map(_is_delta, covered)) < total.deltas:
                left_out["sums of deltas that are deleted since a snapshot has them"] += 1
            else:
                differences.append(f"{_name(total)} is not that of its deltas")


def _outlines(log: Log, skipped: SkippedRecords) -> list[SumOutline]:
    found: list[SumOutline] = []
    for record in log.scan(SUMS_PLACE):
        try:
            total = read_sum(record)
        except BadRecord as error:
            skipped.skip(record, error)
            continue
        deltas = sum(part.checkpoint.seq - part.first + 1 for part in total.parts)
        offsets = total.first_offset, total.next_offset
        found.append(SumOutline(record.location, total.number, *offsets, deltas, _digest(total)))
    return found


def _name(total: SumOutline) -> str:
    return f"{total.location}: sum {total.number}"


def _digest(total: Sum) -> bytes:
    if total.changes is None:
        return b""
    return hashlib.sha256(msgspec.msgpack.encode((total.changes, total.parts))).digest()


def _split(records: Iterator[Record], end: int) -> tuple[list[Record], Iterator[Record]]:
    """The records before an offset, and those from it on."""
    after: list[Record] = []

    def before_end(record: Record) -> bool:
        if record.offset >= end:
            after.append(record)
        return record.offset < end

    return list(takewhile(before_end, records)), chain(after, records)


def _is_delta(record: Record) -> bool:
    try:
        return isinstance(read_record(record), Delta)
    except BadRecord:
        return False
