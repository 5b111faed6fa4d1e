"""Recounts the log from its records: the model must follow from its labels, and each mail must be processed once.

There are seven checks: the outputs against the mails (each mail has one prediction or one quarantine entry), the
predicted labels against their scores and policy (see `decisions`), the ledgers against the label records, labels that
wait for their mails against the scored mails (see `waiting_labels`), the model against the updates, which are applied
to their mails again (see `recount`), a model without labels against the number of labels that predictions name, and the
sums against their deltas (see `sums`). Whatever the log no longer keeps is not checked, but counted with the reason.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import NamedTuple

from ..log.base import Log, TopicPartition
from ..model.ledger import Entry
from ..model.replica import Replica
from ..records.replay import final_labels, read_labels, read_predictions, read_quarantine
from ..records.schemas import EMAILS, LABELS, PREDICTIONS, QUARANTINE
from ..records.skipped import SkippedRecords
from ..records.values import Label
from ..settings import Settings
from .class_limit import exceeds_max_classes
from .decisions import check_decisions
from .findings import Findings
from .recount import History, check_changelog
from .sums import check_sums
from .waiting_labels import check_waiting_labels

COMMIT_S = 60.0
"""No commit takes longer. Within one, a quarantine entry may be written before the prediction of an earlier mail."""


def verify(log: Log, settings: Settings) -> Findings:
    """Recount everything committed so far. Raises UnknownFormat and LogDamaged as `Replica.load` does."""
    skipped = SkippedRecords()
    findings = Findings()
    learned = _check_outputs(log, skipped, findings)
    ends = {place.partition: log.end_offset(place) for place in log.places(PREDICTIONS)}
    replica, history = Replica.load(log, settings, skipped), History.read(log, settings, skipped)
    while any(replica.checkpoint(number).seq < newer.seq for number, newer in history.checkpoints.items()):
        # A worker wrote snapshots between the two reads.
        replica, history = Replica.load(log, settings, skipped), History.read(log, settings, skipped)
    if learned and not replica.ledgers and (replica.model is None or not replica.model.labels_learned):
        findings.differences.append(
            f"model: no label, but predictions were made with {learned}: records of this topic are gone"
        )
    _check_labels(log, settings, replica, findings)
    _check_updates(replica, findings)
    check_decisions(log, settings, skipped, findings)
    if replica.model is not None:
        check_waiting_labels(log, settings, replica, ends, findings)
        check_changelog(log, settings, replica, history, findings)
        check_sums(log, settings.learner, skipped, findings)
    return findings


def _check_outputs(log: Log, skipped: SkippedRecords, findings: Findings) -> int:
    """Check that every mail up to the last processed one has exactly one prediction or one quarantine entry.

    If outputs have left the log, a mail before the first prediction after them need not have one: where a mail stands
    among the outputs follows from offsets, because its time is that of its producer's clock. Returns the largest number
    of labels that the model had learned when a mail was scored.
    """
    learned = 0
    # Workers may commit meanwhile, so quarantine is read before the predictions, to know which mails were processed
    # when these are read, and again after them, because entries of the same commits may have been added.
    processed = _quarantined(log)
    quarantine_since = _kept_since(log, TopicPartition(QUARANTINE, 0))
    predicted: dict[int, Counter[int]] = defaultdict(Counter)
    firsts: dict[int, int] = {}
    for record, prediction in read_predictions(log, skipped):  # each is on its mail's partition
        offset = prediction.next_offset - 1
        predicted[record.partition][offset] += 1
        if record.timestamp > quarantine_since + COMMIT_S:
            firsts.setdefault(record.partition, offset)
        learned = max(learned, prediction.labels_learned)
    quarantined = _quarantined(log)
    for emails in log.places(EMAILS):
        partition = emails.partition
        last = max((*processed[partition], *predicted[partition]), default=-1)
        outputs = predicted[partition] + quarantined[partition]
        whole = log.start_offset(TopicPartition(PREDICTIONS, partition)) == 0 and quarantine_since == -math.inf
        first = 0 if whole else firsts.get(partition, last + 1)
        _check_mails(log, emails, outputs, first, last, findings)
    return learned


def _quarantined(log: Log) -> dict[int, Counter[int]]:
    """How many entries each mail has in quarantine, by partition and offset."""
    entries: dict[int, Counter[int]] = defaultdict(Counter)
    for _, entry in read_quarantine(log):
        if entry.topic == EMAILS:
            entries[entry.partition][entry.offset] += 1
    return entries


def _check_mails(
    log: Log, emails: TopicPartition, outputs: Counter[int], first: int, last: int, findings: Findings
) -> None:
    """Compare the mails of a partition up to offset `last` with the number of outputs of each; before offset `first`
    an output may have left the log."""
    mails: set[int] = set()
    for record in log.scan(emails):
        if record.offset > last:
            findings.left_out["mails that no worker has processed yet"] += 1
        elif record.offset < first and record.offset not in outputs:
            findings.left_out["mails whose predictions or quarantine entries have left the log"] += 1
        else:
            mails.add(record.offset)
    findings.mails += len(mails)
    twice = [f"{emails}@{offset}: processed {count} times" for offset, count in outputs.items() if count > 1]
    missing = [f"{emails}@{offset}: neither predicted nor quarantined" for offset in sorted(mails - set(outputs))]
    findings.differences += twice + missing


def _check_labels(log: Log, settings: Settings, replica: Replica, findings: Findings) -> None:
    """Check that the ledger's label of each message is the one by the label records of the message's partition.

    Workers do not read label records on other partitions, and refuse labels that they quarantine. A message is not
    checked if its label records, the note that one was refused, or its mail, whose label can then no longer change,
    have left the log; nor if the ledger has no entry of it, but may have evicted its label; nor if a withdrawal may
    have dropped its votes for classes beyond `max_classes`, which leaves no note.
    """
    quarantined = [entry for _, entry in read_quarantine(log)]
    refused = {(each.partition, each.offset) for each in quarantined if each.topic == LABELS}
    without_mail = {each.partition for each in quarantined if each.reason == "label-without-mail"}
    quarantine_since = _kept_since(log, TopicPartition(QUARANTINE, 0))
    may_drop = exceeds_max_classes(log, settings, replica)
    for place in log.places(LABELS):
        partition = place.partition
        labels_next, ledger = replica.checkpoint(partition).labels_next, replica.ledger(partition)
        for _ in log.scan(place, labels_next):
            findings.left_out["labels that no worker has processed yet"] += 1
        all_kept = log.start_offset(place) == 0
        known = _PartitionLabels(
            # Silence counts only without another vote, which may have left the log.
            labels=final_labels(log, {partition: labels_next}, silence=all_kept, refused=refused),
            all_kept=all_kept,
            first_mail=log.start_offset(TopicPartition(EMAILS, partition)),
            may_evict=bool(ledger.evicted_mails) or partition in without_mail or quarantine_since > -math.inf,
            in_doubt=_labelled_before(log, partition, quarantine_since + COMMIT_S),
            withdrawn=_withdrawn(log, partition) if may_drop else set(),
        )
        for message_id in (*ledger.entries, *sorted(known.labels.keys() - ledger.entries.keys())):
            entry, label = ledger.entries.get(message_id), known.labels.get(message_id)
            if (reason := known.why_not(message_id, entry)) is not None:
                findings.left_out[reason] += 1
            elif entry is None or entry.label != label:
                findings.differences.append(
                    f"message {message_id!r} of partition {partition}: the ledger has "
                    f"{'no entry' if entry is None else f'the label {entry.label}'}, the label records {label}"
                )


class _PartitionLabels(NamedTuple):
    """The final `labels` of a partition by message, and what explains that its ledger has others.

    `all_kept`: no label record has left the log. `first_mail`: the offset of the oldest mail still kept. `may_evict`:
    the ledger may have evicted entries. `in_doubt`: messages with a label record that may have been refused.
    `withdrawn`: messages whose votes may have been dropped by a withdrawal.
    """

    labels: dict[str, Label]
    all_kept: bool
    first_mail: int
    may_evict: bool
    in_doubt: set[str]
    withdrawn: set[str]

    def why_not(self, message_id: str, entry: Entry | None) -> str | None:
        """Why the entry of a message (None: it has none) is not checked; None if it is."""
        if entry is None:
            if self.may_evict:
                return "labels that the ledger may have evicted"
        elif 0 < entry.next_offset <= self.first_mail:
            return "labels whose mails have left the log"
        elif not self.all_kept and message_id not in self.labels:
            return "labels whose records have left the log"
        elif self.labels.get(message_id) == entry.label:
            return None
        elif message_id in self.in_doubt:
            return "labels that may have been refused: quarantine entries have left the log"
        if message_id in self.withdrawn:
            return "labels that a withdrawal may have dropped: the log has more classes than [learner] max_classes"
        return None


def _labelled_before(log: Log, partition: int, timestamp: float) -> set[str]:
    """The ids of the messages that have a label record of this time or older."""
    if timestamp == -math.inf:
        return set()
    return {label.id for record, label in read_labels(log, (partition,)) if record.timestamp <= timestamp}


def _withdrawn(log: Log, partition: int) -> set[str]:
    """The ids of the messages of which a source withdrew its label."""
    return {label.id for _, label in read_labels(log, (partition,)) if label.label is None}


def _check_updates(replica: Replica, findings: Findings) -> None:
    """Check that each message whose mail has arrived was learned with its label."""
    entries = [entry for _, entry in replica.entries()]
    for entry in entries:
        if entry.next_offset and not entry.reconciled:
            findings.differences.append(f"message {entry.id!r}: labelled {entry.label}, learned as {entry.update}")
    findings.updates = sum(entry.update is not None for entry in entries)


def _kept_since(log: Log, place: TopicPartition) -> float:
    """The time before which records may have left the log; -inf if none have."""
    if log.start_offset(place) == 0:
        return -math.inf
    oldest = next(log.scan(place), None)
    return math.inf if oldest is None else oldest.timestamp
