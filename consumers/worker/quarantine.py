"""Records of the quarantine: what a worker could not use, why, and where it is."""

from __future__ import annotations

from ..errors import BadRecord
from ..log.base import ProducerRecord, Record
from ..model.ledger import Entry
from ..records.schemas import LABELS, QUARANTINE, QuarantineRecord, encode


def quarantine_record(record: Record, error: BadRecord, now: float) -> ProducerRecord:
    """The entry of a record that cannot be used.

    Args:
        record: The record.
        error: Why it cannot be used.
        now: Seconds since 1970.
    """
    entry = QuarantineRecord(error.reason, error.detail, record.topic, record.partition, record.offset, now)
    return ProducerRecord(QUARANTINE, record.key, encode(entry), 0)


def unmatched_label(entry: Entry, partition: int, now: float) -> ProducerRecord:
    """The entry of a label that was evicted before its mail came.

    Args:
        entry: Of the ledger.
        partition: The partition of the ledger.
        now: Seconds since 1970.
    """
    detail = f"label {entry.label!r} of {entry.id[:80]!r} waited longer than the ledger keeps labels"
    record = QuarantineRecord("label-without-mail", detail, LABELS, partition, -1, now)
    return ProducerRecord(QUARANTINE, entry.id.encode(), encode(record), 0)
