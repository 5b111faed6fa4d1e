"""Finds a mail on the log by an id that a person enters, with or without the angle brackets that mail programs show."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import BadRecord
from ..log.base import Log, Record, TopicPartition
from .messages import MailPlace, read_message
from .replay import read_quarantine
from .schemas import EMAILS, PREDICTIONS, PredictionRecord, read_prediction
from .skipped import readable

ID_BY_CONTENT = (
    "mail of a followed mailbox, of LMTP or of `stream-nb filter` has an id by its content, not its Message-ID; "
    "the page finds it by subject"
)
"""Hint for people who enter a Message-ID that no mail has as its id."""


class FoundMail(NamedTuple):
    """A mail: its id on the log, its place, and its prediction; None before a worker has scored it."""

    id: str
    place: MailPlace
    prediction: PredictionRecord | None


def strip_brackets(message_id: str) -> str:
    """The id that the feeder makes of a Message-ID header field, such as `message_id`, which may have angle brackets;
    it is not changed if nothing else would be left.

    >>> strip_brackets(" <a@example.org> ")
    'a@example.org'
    """
    return message_id.strip().removeprefix("<").removesuffix(">").strip() or message_id


def id_variants(message_id: str) -> tuple[str, ...]:
    """The ids that `message_id`, with or without angle brackets, may mean, first the one given: another producer may
    have kept the brackets in its keys.

    >>> id_variants("<a@example.org>")
    ('<a@example.org>', 'a@example.org')
    """
    bare = strip_brackets(message_id)
    return tuple(dict.fromkeys((message_id, bare, f"<{bare}>")))


def find_mail(log: Log, message_id: str, latest: int | None = None) -> FoundMail | None:
    """The mail with the id `message_id`, with or without angle brackets, scored or not; None if it is not among about
    the `latest` predictions and unscored mails (None: all)."""
    wanted = id_variants(message_id)
    found: dict[str, FoundMail] = {}
    scored_up_to: dict[int, int] = {}
    for place in log.places(PREDICTIONS):
        for _, prediction in readable(log.scan(place, _first_offset(log, place, latest)), read_prediction):
            partition, next_offset = prediction.partition, prediction.next_offset
            scored_up_to[partition] = max(next_offset, scored_up_to.get(partition, 0))
            if prediction.id in wanted:
                mail = FoundMail(prediction.id, MailPlace(partition, next_offset - 1), prediction)
                found.setdefault(prediction.id, mail)
    for place in log.places(EMAILS):
        for record in log.scan(place, max(scored_up_to.get(place.partition, 0), _first_offset(log, place, latest))):
            name = _id_of(record)
            if name in wanted:
                found.setdefault(name, FoundMail(name, MailPlace(place.partition, record.offset), None))
    return next((found[name] for name in wanted if name in found), None)


def why_quarantined(log: Log, message_id: str) -> str | None:
    """Why the mail with the id `message_id`, with or without angle brackets, is in quarantine; None if no such mail
    is."""
    wanted = [name.encode() for name in id_variants(message_id)]
    for record, refused in read_quarantine(log):
        if record.key in wanted and refused.topic == EMAILS:
            return f"{refused.reason}: {refused.detail}"
    return None


def _first_offset(log: Log, place: TopicPartition, latest: int | None) -> int:
    return 0 if latest is None else max(0, log.end_offset(place) - latest // log.partitions(place.topic))


def _id_of(record: Record) -> str | None:
    if record.key is not None:
        return record.key.decode("utf-8", "replace")
    try:
        return read_message(record, "safe").id
    except BadRecord:
        return None
