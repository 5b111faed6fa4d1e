"""The mails labelled last, and what is left of what the model has learned from a mail."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from stream_nb.types import Label, Mail, Update

from ..errors import BadRecord
from ..records.messages import MailPlace, Message
from ..records.schemas import SILENCE
from .decay import faded, what_is_left
from .ledger import Entry
from .replica import Replica


class LearnedMail(NamedTuple):
    """A labelled mail, what is left of what was learned from it, and when the log took the label.

    `timestamp` is in seconds since 1970.
    """

    mail: Mail
    label: Label
    update: Update
    timestamp: float


def last_learned(
    replica: Replica, read: Callable[[MailPlace], Message], limit: int, silence: bool = True
) -> list[LearnedMail]:
    """The mails labelled last, oldest first; those that the log no longer keeps are left out.

    Args:
        replica: The ledgers.
        read: Gives the message at a place; raises BadRecord when it is gone.
        limit: Most mails, from 1.
        silence: Whether mails labelled by `SILENCE` are among them: it repeats predictions, and so measures nothing.
    """
    latest: list[tuple[int, Entry]] = []
    for partition, ledger in replica.ledgers.items():
        learned = [
            entry
            for entry in ledger.entries.values()
            if entry.update and entry.label is not None and (silence or entry.update.source != SILENCE)
        ]
        latest += [(partition, entry) for entry in learned[-limit:]]
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
    """What is left of what was learned from a message: less than its update says, with `[learner] half_life`.

    Args:
        entry: The message's, of a ledger of the replica.
        replica: The model.
    """
    if entry.update is None:
        return None
    return what_is_left(entry.update, faded(replica.halvings - entry.halvings))
