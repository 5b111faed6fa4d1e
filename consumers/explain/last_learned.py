"""The mails labelled last, and the part of a mail's update that has not decayed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from stream_nb.types import Mail, Update

from ..errors import BadRecord
from ..model.decay import faded, what_is_left
from ..model.ledger import Entry
from ..model.replica import Replica
from ..records.messages import MailPlace, Message
from ..records.schemas import SILENCE
from ..records.values import Label


class LearnedMail(NamedTuple):
    """A labelled mail, what is left of its update, and when its label was appended.

    `timestamp` is in seconds since 1970.
    """

    mail: Mail
    label: Label
    update: Update
    timestamp: float


def last_learned(
    replica: Replica, read: Callable[[MailPlace], Message], limit: int, silence: bool = True
) -> list[LearnedMail]:
    """The mails labelled last, oldest first; mails that are no longer on the log are left out.

    Args:
        read: Reads the message at a place; raises BadRecord if it is no longer on the log.
        limit: Most mails, 1 or more.
        silence: Whether to include labels by `SILENCE`, which repeat predictions and so cannot measure accuracy.
    """
    latest: list[tuple[int, Entry]] = []
    for partition, ledger in replica.ledgers.items():
        newest_first = (ledger.entries[message_id] for message_id in reversed(ledger.entries))
        learned = (
            entry
            for entry in newest_first
            if entry.update and entry.teaches and (silence or entry.update.source != SILENCE)
        )
        latest += [(partition, entry) for entry in islice(learned, limit)][::-1]
    latest.sort(key=lambda each: each[1].timestamp)
    mails: list[LearnedMail] = []
    for partition, entry in latest[-limit:]:
        try:
            mail = read(MailPlace(partition, entry.next_offset - 1)).mail
        except BadRecord:
            continue
        update = left_of(entry, replica)
        if update is not None and entry.label is not None:
            mails.append(LearnedMail(mail, entry.label, update, entry.timestamp))
    return mails


def left_of(entry: Entry, replica: Replica) -> Update | None:
    """What is left of the update of an entry of the replica after decay (`[learner] half_life`); None if nothing was
    learned."""
    if entry.update is None or not entry.teaches:
        return None
    return what_is_left(entry.update, faded(replica.halvings - entry.halvings))
