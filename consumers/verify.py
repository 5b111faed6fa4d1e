"""Recount the log from its records and compare: is the model what its labels taught, and each mail scored once?

Three things are compared: the outputs with the mails (each has one prediction or one quarantine entry), the ledger with
the label records, and the model with the sum of all lessons that stand, each applied to its mail as read again.
"""

from __future__ import annotations

from typing import NamedTuple

from consumers.errors import Unusable
from consumers.ledger import Entry
from consumers.log.base import Log, TopicPartition
from consumers.logreport import final_labels, read_all
from consumers.mailbox import Mailbox
from consumers.records import (
    EMAILS,
    PREDICTIONS,
    QUARANTINE,
    decode_prediction,
    decode_quarantine,
)
from consumers.replica import Replica
from consumers.settings import Settings


class Findings(NamedTuple):
    """What the recount found; `differences` is empty when all is well."""

    mails: int
    labels: int
    differences: tuple[str, ...]


def verify(log: Log, settings: Settings) -> Findings:
    """Recount everything committed so far."""
    replica = Replica.load(log, settings)
    differences: list[str] = []
    mails = 0
    for partition in range(log.partitions(EMAILS)):
        mails += _check_outputs(log, TopicPartition(EMAILS, partition), differences)
    _check_labels(log, replica, differences)
    labels = _check_model(log, replica, settings, differences)
    return Findings(mails, labels, tuple(differences))


def _check_outputs(log: Log, emails: TopicPartition, differences: list[str]) -> int:
    """Every mail up to the last one acted on has exactly one prediction or one quarantine entry."""
    acted: dict[int, int] = {}
    for record in read_all(log, PREDICTIONS):
        if record.partition == emails.partition:
            offset = decode_prediction(record.value).next_offset - 1
            acted[offset] = acted.get(offset, 0) + 1
    for record in read_all(log, QUARANTINE):
        entry = decode_quarantine(record.value)
        if entry.topic == EMAILS and entry.partition == emails.partition:
            acted[entry.offset] = acted.get(entry.offset, 0) + 1
    last = max(acted, default=-1)
    seen = {record.offset for record in log.scan(emails) if record.offset <= last}
    differences += [f"{emails}@{offset}: acted on {count} times" for offset, count in acted.items() if count > 1]
    differences += [f"{emails}@{offset}: neither predicted nor quarantined" for offset in sorted(seen - set(acted))]
    return len(seen)


def _check_labels(log: Log, replica: Replica, differences: list[str]) -> None:
    """The ledger's label of each message is the one its label records give."""
    read_up_to = {partition: mark.labels_next for partition, mark in replica.marks.items()}
    labels = final_labels(log, read_up_to)
    for partition, ledger in replica.ledgers.items():
        for entry in ledger.entries.values():
            if labels.get(entry.id) != entry.label:
                differences.append(
                    f"message {entry.id!r} of partition {partition}: the ledger says {entry.label}, "
                    f"the label records {labels.get(entry.id)}"
                )


def _check_model(log: Log, replica: Replica, settings: Settings, differences: list[str]) -> int:
    """The model equals the sum of all lessons that stand, each multiplied with its re-read mail."""
    if replica.model is None:
        return 0
    recount = replica.new_delta()
    labels = 0
    for partition, ledger in sorted(replica.ledgers.items()):
        mailbox = Mailbox(log, partition, settings.learner.headers)
        for entry in ledger.entries.values():
            labels += entry.lesson is not None
            _recount(entry, mailbox, recount, differences)
    if replica.let_go:
        # What the ledger no longer remembers cannot be read again; all that it does remember must be in the model.
        rest = replica.model.copy()
        rest.unmerge(recount)
        if rest.labels_learned != replica.let_go:
            differences.append(f"model: {rest.labels_learned} labels not in the ledger, {replica.let_go} were let go")
    elif recount != replica.model:
        differences.append(
            f"model: {replica.model.labels_learned} labels and {replica.model.features} features, "
            f"recounted {recount.labels_learned} and {recount.features}, or other counts"
        )
    return labels


def _recount(entry: Entry, mailbox: Mailbox, recount, differences: list[str]) -> None:
    if entry.next_offset and not entry.settled:
        differences.append(f"message {entry.id!r}: called {entry.label}, learned as {entry.lesson}")
    if entry.lesson is not None:
        try:
            recount.apply(mailbox.get(entry.id, entry.next_offset), entry.lesson)
        except Unusable as gone:
            differences.append(f"message {entry.id!r}: {gone}")
