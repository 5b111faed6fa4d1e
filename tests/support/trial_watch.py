"""What a trial waits for on the log, and the time to recover from each fault."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from consumers.cli.demo_run import caught_up
from consumers.log.base import Log, TopicPartition
from consumers.model.changelog import MODEL_PARTITION
from consumers.model.sums import SUMS_PARTITION, read_sum
from consumers.monitor.topic import TOTALS, read_last
from consumers.monitor.totals import MonitorTotals
from consumers.records.schemas import PREDICTIONS, decode_prediction
from consumers.records.skipped import SkippedRecords
from consumers.settings import Settings

PATIENCE_S = 120.0
LOOK_S = 0.1


class Fault(NamedTuple):
    """A fault that a trial has caused, and when."""

    name: str
    timestamp: float


def wait_for_mail(log: Log, partitions: int, since: float) -> None:
    """Wait until each partition has a prediction of a mail that arrived at `since` (seconds since 1970) or later."""
    deadline = time.monotonic() + PATIENCE_S
    places = {TopicPartition(PREDICTIONS, p) for p in range(partitions)}
    next_offsets = {place: log.end_offset(place) for place in places}
    waiting = set(places)
    while waiting:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no new prediction in {sorted(waiting)} for {PATIENCE_S:.0f} s")
        for record in log.read(next_offsets, timeout_s=0.2):
            place = TopicPartition(record.topic, record.partition)
            next_offsets[place] = record.offset + 1
            if decode_prediction(record.value).arrived_at >= since:
                waiting.discard(place)


def wait_for_sums(log: Log, meanwhile: Callable[[], None]) -> None:
    """Wait until all deltas are in sums. Needs new mail, because a marker may be the last record now."""
    deadline, end = time.monotonic() + PATIENCE_S, log.end_offset(MODEL_PARTITION)
    while not any(read_sum(record).next_offset >= end for record in log.scan(SUMS_PARTITION)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"no sum up to {end} for {PATIENCE_S:.0f} s")
        meanwhile()
        time.sleep(LOOK_S)


def is_finished(log: Log, settings: Settings, monitored: bool) -> bool:
    """Whether workers, and with `monitored` a monitor, have read everything."""
    return caught_up(log, settings) and (not monitored or _is_counted(log))


def _is_counted(log: Log) -> bool:
    """Whether a monitor has counted all predictions and labels."""
    totals = read_last(log, TOTALS, MonitorTotals, SkippedRecords())
    if totals is None:
        return False
    return all(next(log.scan(TopicPartition(at.topic, at.partition), at.next_offset), None) is None
               for at in totals.read_up_to)  # fmt: skip


def recoveries(log: Log, partitions: int, faults: Sequence[Fault]) -> list[tuple[Fault, float]]:
    """Each fault, and the seconds until mail that arrived after it was scored in every partition."""
    scored = [[] for _ in range(partitions)]
    for p in range(partitions):
        for record in log.scan(TopicPartition(PREDICTIONS, p)):
            prediction = decode_prediction(record.value)
            scored[p].append((prediction.arrived_at, prediction.scored_at))
    found = []
    for fault in faults:
        firsts = [min((s for a, s in pairs if a >= fault.timestamp), default=fault.timestamp) for pairs in scored]
        found.append((fault, max(firsts) - fault.timestamp))
    return found
