"""Makes the label records that withdraw the votes of one source or on one message."""

from __future__ import annotations

from ..log.base import Log, ProducerRecord
from .lookup import id_variants
from .replay import read_labels
from .schemas import LABELS, LabelRecord, encode


def records_to_forget(
    log: Log, source: str | None, message: str | None, since: float, now: float
) -> list[ProducerRecord]:
    """One record for each matching vote that is in force now, on the partition of the vote, where a worker learned it.

    Args:
        source: The source whose votes match; None for no source.
        message: The id of the message whose votes match, with or without angle brackets; None for no message.
        since: Votes from before this time, in seconds since 1970, are kept.
        now: The timestamp of the records, in seconds since 1970.
    """
    ids = id_variants(message) if message is not None else ()
    votes: dict[tuple[int, str, str], float] = {}  # when each was given
    for record, label in read_labels(log):
        if label.source == source or label.id in ids:
            voted = (record.partition, label.id, label.source)
            votes.pop(voted, None)
            if not label.forget:
                votes[voted] = record.timestamp if label.timestamp is None else label.timestamp
    return [
        ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, None, voter, now, forget=True)), partition)
        for (partition, name, voter), given in votes.items()
        if given >= since
    ]
