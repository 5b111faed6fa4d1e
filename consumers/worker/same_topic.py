"""Refuses a topic that was deleted and created again, since what was learned names offsets of the old one."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nlargest

from ..errors import LogDamaged
from ..log.base import Log, TopicPartition
from ..records.schemas import PredictionRecord

LATEST = 20
"""Predictions looked at: one that no worker wrote must neither stop a worker nor make it pass over mails."""

WHAT_TO_DO = (
    "the topic was deleted and created again, or lost records. Save the model (`stream-nb save`) and load it into a "
    "new log (`stream-nb load`)"
)


def check_reaches(log: Log, place: TopicPartition, next_offset: int) -> None:
    """Raise LogDamaged if a partition ends before `next_offset`, up to which it was processed."""
    end = log.end_offset(place)
    if next_offset > end:
        raise LogDamaged(f"{place} ends at {end}, but was processed up to {next_offset}: {WHAT_TO_DO}")


def scored_up_to(log: Log, place: TopicPartition, predictions: Iterable[PredictionRecord]) -> int:
    """The offset after the last mail of a partition that was scored, by predictions of its mails; 0 if there is none.

    A mail counts as scored if its record has the id of the prediction as key, or no key, or is no longer kept.

    Raises:
        LogDamaged: None of the latest predictions is about a mail that is on the log.
    """
    end, other = log.end_offset(place), ""
    for prediction in nlargest(LATEST, predictions, key=lambda each: each.next_offset):
        offset = prediction.next_offset - 1
        record = log.read_at(place, offset) if offset < end else None
        if offset < end and (record is None or record.key in (None, prediction.id.encode())):
            return prediction.next_offset
        found = f"ends at {end}" if record is None else f"has the key {record.key!r:.80} at {offset}"
        other = other or f"{place} {found}, but {prediction.id[:80]!r} was scored at {offset}"
    if other:
        raise LogDamaged(f"{other}: {WHAT_TO_DO}")
    return 0
