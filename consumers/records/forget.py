"""Which label records take back what a source or a message has taught."""

from __future__ import annotations

from ..log.base import Log, ProducerRecord
from .lookup import id_variants
from .replay import read_labels
from .schemas import LABELS, LabelRecord, encode


def records_to_forget(log: Log, source: str | None, message: str | None, since: float, now: float) -> list[ProducerRecord]:
    """One record for each vote that stands and matches: of `source` said at or after `since`, or on `message`
    (with or without angle brackets)."""
    messages = id_variants(message) if message is not None else ()
    standing: dict[tuple[str, str], LabelRecord] = {}
    for _, label in read_labels(log):
        if (source is not None and label.source == source) or label.id in messages:
            standing.pop((label.id, label.source), None)
            if not label.forget:
                standing[label.id, label.source] = label
    return [
        ProducerRecord(LABELS, label.id.encode(), encode(LabelRecord(label.id, None, label.source, now, forget=True)))
        for label in standing.values()
        if label.timestamp >= since
    ]
