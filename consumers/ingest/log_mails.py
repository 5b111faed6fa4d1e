"""The mails of a log as a source: each once, by time, with the label that counts now."""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from operator import itemgetter

from ..errors import BadRecord
from ..log.base import Log, Record, TopicPartition
from ..records.messages import read_message
from ..records.replay import final_votes, refused_labels, unreadable_mails
from ..records.schemas import EMAILS
from .feeder import Item, Labelling
from .formats.base import MailSource, shuffled

_SCHEMES = ("sqlite:", "kafka://")


def is_log_address(path: str) -> bool:
    """Whether `path` is the address of a log instead of a path in the file system.

    >>> is_log_address("sqlite:var/log"), is_log_address("var/log")
    (True, False)
    """
    return path.startswith(_SCHEMES)


def is_same_log(address: str, other: str) -> bool:
    """Whether `address` and `other` name the same log: the same folder, or the same brokers, spelt alike.

    >>> is_same_log("sqlite:var/log", "sqlite:./var/log/"), is_same_log("sqlite:var/log", "sqlite:log")
    (True, False)
    """
    return _spelt_out(address) == _spelt_out(other)


def _spelt_out(address: str) -> str:
    scheme, _, folder = address.partition(":")
    return os.path.realpath(os.path.expanduser(folder)) if scheme == "sqlite" else address


def open_log_mails(open_log: Callable[[], Log], address: str, shuffle: int | None = None) -> MailSource:
    """The mails that are on a log now, as a source for whatever else reads mail.

    A mail is read once, as a worker scores it: further records with its id are left out, and so are records that a
    worker could not read. Its label is the latest vote that was not withdrawn; votes of silence do not count, nor
    labels that a worker refused because of `max_classes`. Partitions are merged by the times of their records. An item
    says when its mail arrived and was labelled, unless the order is random.

    Args:
        open_log: Opens the log; called now, and for each partition of `emails` when the mails are read.
        address: The log's address, for messages.
        shuffle: Seed of a random order; None for the order of arrival.

    Raises:
        LogUnavailable: The log does not answer, or there is none. Also UnknownTopic and others of `Log`.
    """
    with open_log() as log:
        votes = final_votes(log, refused=refused_labels(log))
        unreadable = unreadable_mails(log)

    def read() -> Iterator[Item]:
        ids: set[str] = set()
        for arrived_at, record in _by_time(open_log):
            message_id = _id(record)
            if message_id is None or not record.value or message_id in ids:
                continue
            if (record.partition, record.offset, record.key) in unreadable:
                continue
            ids.add(message_id)
            if (vote := votes.get(message_id)) is None:
                yield Item(message_id, record.value, None)
            else:
                labelling = Labelling(arrived_at, vote.since, vote.source, vote.rank)
                yield Item(message_id, record.value, vote.label, labelling)

    why = "" if votes else f"no mail on {address} has a label; label some, or feed mail with --labels"
    ordered = read if shuffle is None else lambda: shuffled((item._replace(labelling=None) for item in read()), shuffle)
    return MailSource("log", None, ordered, unlabelled=why, features=True)


def _by_time(open_log: Callable[[], Log]) -> Iterator[tuple[float, Record]]:
    with ExitStack() as opened:

        def timed(place: TopicPartition) -> Iterator[tuple[float, Record]]:
            latest = 0.0  # a partition keeps its order, whatever times its producers set
            for record in opened.enter_context(open_log()).scan(place):  # a log scans one partition at a time
                latest = max(latest, record.timestamp)
                yield latest, record

        with open_log() as log:
            places = log.places(EMAILS)
        yield from heapq.merge(*map(timed, places), key=itemgetter(0))


def _id(record: Record) -> str | None:
    """The id of a mail, as a worker finds it; None if the worker quarantines the record because it has none."""
    try:
        return record.key.decode() if record.key is not None else read_message(record, "keep").id
    except (BadRecord, UnicodeDecodeError):
        return None
