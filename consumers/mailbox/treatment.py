"""Moves or marks the mails of a mailbox that are predicted to be spam, or only reports them; and undoes that.

Each change is on the log before it is made, so that after a crash no move of ours looks like the owner's; if the server
refuses it, this is undone on the log, and it is tried again later. Mails that existed before the mailbox was followed
are left alone.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Literal

import msgspec

from ..errors import BadRecord, UserError
from ..log.base import Log, TopicPartition
from ..records.sanitize import show_safely
from ..records.schemas import PREDICTIONS, PredictionRecord, read_prediction
from .connection import JUNK_KEYWORD, ImapConnection
from .imap_errors import IMAP_ERRORS, Refused, reason
from .known_mail import KnownMail
from .known_mails import KnownMails

Act = Literal["move", "flag"]
SHOWN_CHARS = 60
RETRY_S = 300.0
"""How long a mail that the server refuses to move or flag is left alone."""
MOST_EXPECTED = 10_000
"""How many spam predictions are remembered whose mails are not in the mailbox, or not yet."""

logger = logging.getLogger(__name__)


class Treatment:
    """Acts on new predictions.

    Args:
        mailbox: The folder whose mails are treated.
        junk: The folder that spam is moved to.
        act: Whether spam is moved or flagged.
        apply: Whether to do so; False only reports what would be done.
        notify: Called with a line about each mail.
    """

    def __init__(
        self,
        log: Log,
        known_mails: KnownMails,
        mailbox: str,
        junk: str,
        act: Act,
        apply: bool,
        notify: Callable[[str], None],
    ) -> None:
        self._log = log
        self._known_mails = known_mails
        self._mailbox = mailbox
        self._junk = junk
        self._act = act
        self._apply = apply
        self._done = {"move": f"moved to {junk}", "flag": "flagged as junk"}[act]
        self._notify = notify
        self._due: dict[str, PredictionRecord] = {}
        self._refused: dict[str, PredictionRecord] = {}
        self._retry_at = 0.0
        # A mail that passed a filter is scored before its delivery. To find its oldest key, a plain dict scans past
        # those deleted; an OrderedDict does not.
        self._predicted: OrderedDict[str, PredictionRecord] = OrderedDict()
        self._settled = not (apply and act == "move")  # an earlier run may have ended during a move
        self._next: dict[TopicPartition, int] = {}
        read_to = known_mails.read_to
        for place in log.places(PREDICTIONS):
            end = log.end_offset(place)
            self._next[place] = end if read_to is None else min(read_to.get(place.partition, 0), end)

    def waits(self) -> bool:
        """Whether there are predictions that have not been read."""
        for place in self._log.places(PREDICTIONS):
            self._next.setdefault(place, 0)  # was added meanwhile
        return any(self._log.end_offset(place) > next_offset for place, next_offset in self._next.items())

    def due(self) -> list[str]:
        """The ids of the mails that are predicted to be spam and are still to be treated."""
        while records := self._log.read(self._next):
            for record in records:
                self._next[record.place] = record.offset + 1
                try:
                    prediction = read_prediction(record)
                except BadRecord:
                    continue
                if prediction.is_positive:
                    self._predicted[prediction.id] = prediction
            self._meet()
        self._meet()
        if time.monotonic() >= self._retry_at:
            self._due |= self._refused
            self._refused.clear()
        return list(self._due)

    def _meet(self) -> None:
        """Make the expected mails due that are in the mailbox now; forget the oldest above `MOST_EXPECTED`."""
        for message_id, prediction in list(self._predicted.items()):
            mail = self._known_mails.find(message_id)
            if mail is None:
                continue
            del self._predicted[message_id]
            if mail.folder == self._mailbox and not mail.old and not mail.marked and mail.uid:
                self._due[message_id] = prediction
        while len(self._predicted) > MOST_EXPECTED:
            self._predicted.popitem(last=False)

    def treat(self, connection: ImapConnection) -> None:
        """Move or flag the mails that are `due`; on an error they stay due. The mailbox must be selected read-write.

        A change that the server refuses, as for want of rights or space, delays neither other mails nor what follows.
        """
        for message_id, prediction in list(self._due.items()):
            try:
                if not self._apply or self._treat(connection, message_id):
                    self._report(prediction)
            except Refused as error:
                self._refused[message_id] = prediction
                self._retry_at = time.monotonic() + RETRY_S
                text = "not %s: %r: %s; trying again in %.0f s"
                logger.warning(text, self._done, _shown(prediction), error, RETRY_S)
            del self._due[message_id]
        if not self._settled:
            connection.settle(self._junk)
            self._settled = True
        self._known_mails.reach_predictions({place.partition: offset for place, offset in self._next.items()})
        self._known_mails.write()

    def _treat(self, connection: ImapConnection, message_id: str) -> bool:
        """Move or flag one mail; return False if it is no longer there."""
        mail = self._known_mails.find(message_id)
        if mail is None or mail.folder != self._mailbox:
            return False
        if self._act == "move":
            self._settled = False
            _move(connection, self._known_mails, message_id, mail, self._junk)
            # Recorded now, because the owner may move the mail back before the junk folder is read.
            self._known_mails.put(message_id, KnownMail(self._junk, moved=True))
        else:
            marked = msgspec.structs.replace(mail, going="", marked=True)
            with _unless_refused(self._known_mails, message_id, marked, mail):
                connection.mark(mail.uid, True)
        return True

    def _report(self, prediction: PredictionRecord) -> None:
        would = "" if self._apply else "would be "
        self._notify(f"{would}{self._done}: {_shown(prediction)!r} ({prediction.probability:.2f})")


def _shown(prediction: PredictionRecord) -> str:
    return show_safely(prediction.subject, SHOWN_CHARS)


def undo(connection: ImapConnection, known_mails: KnownMails, mailbox: str, junk: str) -> int:
    """Move the mails that we moved back, and remove our marks; return how many mails changed.

    Mails that their owner has moved or deleted since are left where they are. The followed folder `mailbox` and the
    folder `junk` must have been read before.
    """
    changed = 0
    ours = known_mails.ours()
    connection.select(junk, readonly=False)
    there = set(connection.uids_from(1))
    for message_id, mail in ours.items():
        if mail.folder == junk and mail.uid in there:
            _move(connection, known_mails, message_id, msgspec.structs.replace(mail, old=True), mailbox)
            changed += 1
    connection.settle(mailbox)
    connection.select(mailbox, readonly=False)
    there = set(connection.uids_from(1))
    for message_id, mail in ours.items():
        if mail.folder == mailbox and mail.marked and mail.uid in there:
            connection.mark(mail.uid, False)
            known_mails.put(message_id, msgspec.structs.replace(mail, marked=False, old=True))
            known_mails.write()
            changed += 1
    return changed


def _move(connection: ImapConnection, known_mails: KnownMails, message_id: str, mail: KnownMail, folder: str) -> None:
    """Move a mail, whose arrival in `folder` then counts as our move; after a refusal it would count as the owner's."""
    goes, stays = (msgspec.structs.replace(mail, going=going) for going in (folder, ""))
    with _unless_refused(known_mails, message_id, goes, stays):
        connection.move(mail.uid, folder)


@contextmanager
def _unless_refused(
    known_mails: KnownMails, message_id: str, changed: KnownMail, unchanged: KnownMail
) -> Generator[None]:
    """Record a mail as `changed` before the server is asked to change it, and as `unchanged` if it refuses."""
    known_mails.put(message_id, changed)
    known_mails.write()
    try:
        yield
    except Refused:
        known_mails.put(message_id, unchanged)
        known_mails.write()
        raise


def check_can(connection: ImapConnection, act: Act, mailbox: str) -> None:
    """Raise UserError if the server or the user's rights do not allow this `act` on spam in the folder `mailbox`."""
    try:
        connection.select(mailbox, readonly=False)
    except IMAP_ERRORS as error:
        raise UserError(f"{mailbox} cannot be changed ({reason(error)}); follow it without --on-spam") from error
    if act == "flag" and not connection.keeps(JUNK_KEYWORD):
        raise UserError(f"{mailbox}: the server does not store the keyword {JUNK_KEYWORD}; use --on-spam move")
    if act == "move" and not (connection.can("MOVE") or connection.can("UIDPLUS")):
        raise UserError("the IMAP server has neither MOVE nor UIDPLUS; use --on-spam flag")
