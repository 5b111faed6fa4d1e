"""Quarantine records: what a worker could not use, why, and where it is on the log."""

from __future__ import annotations

from stream_nb.mail.identification import content_id

from ..errors import BadRecord
from ..log.base import ProducerRecord, Record
from ..model.ledger import Entry
from ..records.mail_id import is_id_of
from ..records.schemas import DUPLICATE_ID, DUPLICATE_MAIL, LABELS, QUARANTINE, QuarantineRecord, encode


def quarantine_record(record: Record, error: BadRecord, now: float) -> ProducerRecord:
    """Make the quarantine record, at `now` (in seconds since 1970), for a record that cannot be used because of an
    error."""
    entry = QuarantineRecord(error.reason, error.detail, record.topic, record.partition, record.offset, now)
    return ProducerRecord(QUARANTINE, record.key, encode(entry), 0)


def known_mail(record: Record, message_id: str) -> BadRecord:
    """Why the mail in a record, whose id `message_id` is known, is not scored: it is the same mail again, or another
    one that must not replace it.

    A mail is written again, for example, by a feed that reads it in a mailbox after it has passed the filter. Only an
    id by the content tells; two mails may have one Message-ID.
    """
    raw = record.value or b""
    if is_id_of(message_id, raw) or message_id == content_id(raw):
        return BadRecord(DUPLICATE_MAIL, f"mail {message_id!r} is on the log already")
    return BadRecord(DUPLICATE_ID, f"message id {message_id[:80]!r} was seen before")


def unmatched_label(entry: Entry, partition: int, now: float) -> ProducerRecord:
    """Make the quarantine record, at `now` (in seconds since 1970), for a label that was evicted from the ledger of a
    `partition` before its mail arrived."""
    detail = f"label {entry.label!r} of {entry.id[:80]!r} waited longer than the ledger keeps labels"
    record = QuarantineRecord("label-without-mail", detail, LABELS, partition, -1, now)
    return ProducerRecord(QUARANTINE, entry.id.encode(), encode(record), 0)
