"""Recount the log from its records and compare: is the model what its labels taught, and each mail scored once?

Three things are compared: the outputs with the mails (each has one prediction or one quarantine entry), the ledger with
the label records, and the model with what was taught, each update applied to its mail as read again (see `recount`).
What the log no longer keeps is not compared.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..log.base import Log, TopicPartition
from ..model.replica import Replica
from ..records.replay import final_labels, read_predictions, read_quarantine
from ..records.schemas import (
    EMAILS,
    LABELS,
    PREDICTIONS,
    QUARANTINE,
)
from ..records.skipped import SkippedRecords
from ..settings import Settings
from .recount import History, Recount


class Findings(NamedTuple):
    """What the recount found; `differences` is empty when all is well."""

    mails: int
    updates: int
    differences: tuple[str, ...]


def verify(log: Log, settings: Settings) -> Findings:
    """Recount everything committed so far."""
    skipped = SkippedRecords()
    replica, history = Replica.load(log, settings, skipped), History.read(log, skipped)
    while any(
        replica.checkpoint(partition).seq < checkpoint.seq for partition, checkpoint in history.checkpoints.items()
    ):
        # A worker has written snapshots between the two readings.
        replica, history = Replica.load(log, settings, skipped), History.read(log, skipped)
    differences: list[str] = []
    mails = 0
    for partition in range(log.partitions(EMAILS)):
        mails += _check_outputs(log, TopicPartition(EMAILS, partition), skipped, differences)
    _check_labels(log, replica, differences)
    updates = _check_updates(replica, differences)
    if replica.model is not None:
        differences += Recount(log, settings, replica, history).differences
    return Findings(mails, updates, tuple(differences))


def _check_outputs(log: Log, emails: TopicPartition, skipped: SkippedRecords, differences: list[str]) -> int:
    """Every mail up to the last one acted on has exactly one prediction or one quarantine entry.

    Where outputs have left the log, the mails that are older than those still kept are not looked at.
    """
    acted: dict[int, int] = {}
    for _, prediction in read_predictions(log, skipped):
        if prediction.partition == emails.partition:
            offset = prediction.next_offset - 1
            acted[offset] = acted.get(offset, 0) + 1
    for entry in read_quarantine(log):
        if entry.topic == EMAILS and entry.partition == emails.partition:
            acted[entry.offset] = acted.get(entry.offset, 0) + 1
    last = max(acted, default=-1)
    outputs = (TopicPartition(PREDICTIONS, emails.partition), TopicPartition(QUARANTINE, 0))
    since = max(_kept_since(log, place) for place in outputs)
    seen = {record.offset for record in log.scan(emails) if record.offset <= last and record.timestamp >= since}
    differences += [f"{emails}@{offset}: acted on {count} times" for offset, count in acted.items() if count > 1]
    differences += [f"{emails}@{offset}: neither predicted nor quarantined" for offset in sorted(seen - set(acted))]
    return len(seen)


def _check_labels(log: Log, replica: Replica, differences: list[str]) -> None:
    """The ledger's label of each message is the one its label records give.

    Not looked at are messages whose label records have left the log, or whose mail has: its label can change no more.
    """
    read_up_to = {partition: checkpoint.labels_next for partition, checkpoint in replica.checkpoints.items()}
    labels = final_labels(log, read_up_to)
    for partition, ledger in replica.ledgers.items():
        first_mail = log.start_offset(TopicPartition(EMAILS, partition))
        all_labels = log.start_offset(TopicPartition(LABELS, partition)) == 0
        for entry in ledger.entries.values():
            if 0 < entry.next_offset <= first_mail or not (all_labels or entry.id in labels):
                continue
            if labels.get(entry.id) != entry.label:
                differences.append(
                    f"message {entry.id!r} of partition {partition}: the ledger says {entry.label}, "
                    f"the label records {labels.get(entry.id)}"
                )


def _check_updates(replica: Replica, differences: list[str]) -> int:
    """Each message whose mail has come was taught as what it is called; returns how many updates stand."""
    entries = [entry for ledger in replica.ledgers.values() for entry in ledger.entries.values()]
    for entry in entries:
        if entry.next_offset and not entry.reconciled:
            differences.append(f"message {entry.id!r}: called {entry.label}, learned as {entry.update}")
    return sum(entry.update is not None for entry in entries)


def _kept_since(log: Log, place: TopicPartition) -> float:
    """The time before which records may have left the log; 0.0 when none has."""
    if log.start_offset(place) == 0:
        return 0.0
    oldest = next(log.scan(place), None)
    return math.inf if oldest is None else oldest.timestamp
