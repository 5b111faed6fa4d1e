"""Makes the label records that withdraw the votes of one source or on one message."""

from __future__ import annotations

from ..log.base import Log, ProducerRecord
from .lookup import id_variants
from .replay import read_labels
from .schemas import LABELS, LabelRecord, encode


def records_to_forget(
    log: Log, source: str | None, message: str | None, since: float, now: float
) -> list[ProducerRecord]:
    """One record for each matching vote that is in force now.

    Args:
        log: The log with the votes.
        source: The source whose votes match; None for no source.
        message: The id of the message whose votes match, with or without angle brackets; None for no message.
        since: Votes from before this time, in seconds since 1970, are kept.
        now: The timestamp of the records, in seconds since 1970.
    """
    ids = id_variants(message) if message is not None else ()
    votes: dict[tuple[str, str], LabelRecord] = {}
    for _, label in read_labels(log):
        if (source is not None and label.source == source) or label.id in ids:
            votes.pop((label.id, label.source), None)
            if not label.forget:
                votes[label.id, label.source] = label
    return [
        ProducerRecord(LABELS, vote.id.encode(), encode(LabelRecord(vote.id, None, vote.source, now, forget=True)))
        for vote in votes.values()
        if vote.timestamp >= since
    ]
