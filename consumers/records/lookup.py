"""Find a message on the log by the id a person gives; angle brackets, which mail programs show, are optional."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import BadRecord
from ..log.base import Log, Record, TopicPartition
from .messages import read_message
from .schemas import EMAILS, PREDICTIONS, decode_prediction


class FoundMail(NamedTuple):
    """A message's id as the log has it, where it stands on `emails`, and whether a worker has scored it."""

    id: str
    place: TopicPartition
    offset: int
    scored: bool


def strip_brackets(message_id: str) -> str:
    """The id as the feed makes it from a Message-ID header.

    >>> strip_brackets(" <a@example.org> ")
    'a@example.org'
    """
    return message_id.strip().removeprefix("<").removesuffix(">").strip() or message_id


def id_variants(message_id: str) -> tuple[str, ...]:
    """The ids that may be meant, as given first: a producer of its own may have kept the brackets in its keys."""
    bare = strip_brackets(message_id)
    return tuple(dict.fromkeys((message_id, bare, f"<{bare}>")))


def find_mail(log: Log, message_id: str, latest: int | None = None) -> FoundMail | None:
    """The message of this id, scored or waiting; None when it is not on the log.

    With `latest` about so many of the latest predictions are searched, and of the mails that wait for theirs.
    """
    wanted = id_variants(message_id)
    found: dict[str, FoundMail] = {}
    acted_on: dict[int, int] = {}
    for partition in range(log.partitions(PREDICTIONS)):
        at = TopicPartition(PREDICTIONS, partition)
        for record in log.scan(at, _first(log, at, latest)):
            try:
                seen = decode_prediction(record.value)
            except BadRecord:
                continue
            acted_on[seen.partition] = max(seen.next_offset, acted_on.get(seen.partition, 0))
            if seen.id in wanted:
                place = TopicPartition(EMAILS, seen.partition)
                found.setdefault(seen.id, FoundMail(seen.id, place, seen.next_offset - 1, True))
    for partition in range(log.partitions(EMAILS)):
        place = TopicPartition(EMAILS, partition)
        for record in log.scan(place, max(acted_on.get(partition, 0), _first(log, place, latest))):
            name = _id_of(record)
            if name in wanted:
                found.setdefault(name, FoundMail(name, place, record.offset, False))
    return next((found[name] for name in wanted if name in found), None)


def _first(log: Log, at: TopicPartition, latest: int | None) -> int:
    return 0 if latest is None else max(0, log.end_offset(at) - latest // log.partitions(at.topic))


def _id_of(record: Record) -> str | None:
    if record.key is not None:
        return record.key.decode("utf-8", "replace")
    try:
        return read_message(record, "safe").id
    except BadRecord:
        return None
