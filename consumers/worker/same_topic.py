"""Refuses a topic that was deleted and created again, since what was learned names offsets of the old one."""

from __future__ import annotations

from itertools import takewhile

from ..errors import BadRecord, LogDamaged
from ..log.base import Log, TopicPartition
from ..model.ledger import Ledger
from ..records.schemas import PredictionRecord, read_label

LATEST_LABELS = 100
"""So many labels are looked up; some may be unknown, because they were put into quarantine or have expired."""

WHAT_TO_DO = (
    "the topic was deleted and created again, or lost records. Save the model (`stream-nb save`) and load it into a "
    "log with another prefix"
)


def check_reaches(log: Log, place: TopicPartition, next_offset: int) -> None:
    """Raise LogDamaged if a partition ends before the offset up to which it was processed.

    Args:
        log: The log.
        place: The partition.
        next_offset: The offset after the last record processed, 0 or more.
    """
    end = log.end_offset(place)
    if next_offset > end:
        raise LogDamaged(f"{place} ends at {end}, but was learned up to {next_offset}: {WHAT_TO_DO}")


def check_same_mail(log: Log, place: TopicPartition, prediction: PredictionRecord) -> None:
    """Raise LogDamaged if another mail is now where the mail of a prediction was; those without a key are not compared.

    Args:
        log: The log.
        place: The mail's partition.
        prediction: A prediction of one of its mails.
    """
    offset = prediction.next_offset - 1
    record = log.read_at(place, offset)
    if record is not None and record.key not in (None, prediction.id.encode()):
        raise LogDamaged(
            f"{place}@{offset} has the key {record.key!r:.80}, but was scored as {prediction.id[:80]!r}: {WHAT_TO_DO}"
        )


def check_same_labels(log: Log, place: TopicPartition, next_offset: int, ledger: Ledger) -> None:
    """Raise LogDamaged if there are labels before the offset up to which they were learned, and none is known.

    Args:
        log: The log.
        place: The partition of `labels`.
        next_offset: The offset after the last label learned, 0 or more.
        ledger: The labels learned.
    """
    unknown = ""
    records = log.scan(place, max(0, next_offset - LATEST_LABELS))
    for record in takewhile(lambda record: record.offset < next_offset, records):
        try:
            label = read_label(record)
        except BadRecord:
            continue
        entry = ledger.entries.get(label.id)
        if entry is not None and any(vote.source == label.source for vote in entry.votes):
            return
        unknown = f"{record.location}, of {label.id[:80]!r} by {label.source[:80]!r},"
    if unknown:
        raise LogDamaged(f"{unknown} was never learned, but {place} was up to {next_offset}: {WHAT_TO_DO}")
