"""Which label records take back what a source or a message has taught."""

from __future__ import annotations

from consumers.errors import Unusable
from consumers.log.base import Draft, Log
from consumers.logreport import read_all
from consumers.records import LABELS, LabelRecord, decode_label, encode


def drafts_to_forget(
    log: Log, source: str | None, message: str | None, since: float, now: float
) -> list[Draft]:
    """One record for each opinion that stands and matches: of `source` said at or after `since`, or on `message`."""
    standing: dict[tuple[str, str], LabelRecord] = {}
    for record in read_all(log, LABELS):
        try:
            label = decode_label(record.value)
        except Unusable:
            continue
        if record.key != label.id.encode():  # quarantined as bad-key
            continue
        if (source is not None and label.source == source) or label.id == message:
            standing.pop((label.id, label.source), None)
            if not label.forget:
                standing[label.id, label.source] = label
    return [
        Draft(LABELS, label.id.encode(), encode(LabelRecord(label.id, None, label.source, now, forget=True)))
        for label in standing.values()
        if label.at >= since
    ]
