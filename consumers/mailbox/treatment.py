"""What is done in a mailbox with mails that are predicted to be spam: moved or marked, or only told; and undone.

What is going to be done is on the log before it is done, so that no crash makes a move of ours look like one of the
owner's; what the server refuses is taken back there. Mails that were there before the mailbox was followed are left
alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from ..errors import BadRecord, UserError
from ..log.base import Log, TopicPartition
from ..records.sanitize import show_safely
from ..records.schemas import PREDICTIONS, PredictionRecord, read_prediction
from .connection import IMAP_ERRORS, JUNK_KEYWORD, ImapConnection, MoveRefused
from .places import Place, Places

Act = Literal["move", "flag"]
SHOWN_CHARS = 60
MOST_EXPECTED = 10_000
"""So many mails may be predicted to be spam and not be in the mailbox yet, or be in none that is followed."""


class Treatment:
    """Acts on new predictions.

    Args:
        log: The log.
        places: Where mails are.
        mailbox: The folder whose mails are treated.
        junk: The folder that spam is moved to.
        act: Whether spam is moved or flagged.
        apply: False only tells what would be done.
        notify: Called with a line about each mail.
    """

    def __init__(
        self, log: Log, places: Places, mailbox: str, junk: str, act: Act, apply: bool, notify: Callable[[str], None]
    ) -> None:
        self._log = log
        self._places = places
        self._mailbox = mailbox
        self._junk = junk
        self._act = act
        self._apply = apply
        self._notify = notify
        self._due: dict[str, PredictionRecord] = {}
        self._predicted: dict[str, PredictionRecord] = {}  # a mail that passed a filter is delivered after it is scored
        self._settled = not (apply and act == "move")  # a run before this one may have ended on the way
        self._next = {TopicPartition(PREDICTIONS, number): 0 for number in range(log.partitions(PREDICTIONS))}
        known = places.read_to
        for place in self._next:
            end = log.end_offset(place)
            self._next[place] = end if known is None else min(known.get(place.partition, 0), end)

    def waits(self) -> bool:
        """Whether there are predictions that were not looked at."""
        for number in range(len(self._next), self._log.partitions(PREDICTIONS)):  # added meanwhile
            self._next[TopicPartition(PREDICTIONS, number)] = 0
        return any(self._log.end_offset(place) > next_offset for place, next_offset in self._next.items())

    def due(self) -> list[str]:
        """Ids of the mails that predictions say are spam, that can be treated, and have not been yet."""
        while records := self._log.read(self._next):
            for record in records:
                self._next[record.place] = record.offset + 1
                try:
                    prediction = read_prediction(record)
                except BadRecord:
                    continue
                if prediction.is_positive:
                    self._predicted[prediction.id] = prediction
        for message_id, prediction in list(self._predicted.items()):
            place = self._places.find(message_id)
            if place is None:
                continue
            del self._predicted[message_id]
            if place.folder == self._mailbox and not place.old and not place.marked and place.uid:
                self._due[message_id] = prediction
        while len(self._predicted) > MOST_EXPECTED:
            del self._predicted[next(iter(self._predicted))]
        return list(self._due)

    def treat(self, connection: ImapConnection) -> None:
        """Move or flag what is `due`; the mailbox is open, and not read-only. What fails stays due."""
        for message_id, prediction in list(self._due.items()):
            if not self._apply or self._treat(connection, message_id):
                self._say(prediction)
            del self._due[message_id]
        if not self._settled:
            connection.settle(self._junk)
            self._settled = True
        self._places.reach_predictions({place.partition: offset for place, offset in self._next.items()})
        self._places.write()

    def _treat(self, connection: ImapConnection, message_id: str) -> bool:
        """Move or flag one mail; False when it is no longer there."""
        place = self._places.find(message_id)
        if place is None or place.folder != self._mailbox:
            return False
        moves = self._act == "move"
        if moves:
            self._settled = False
            _move(connection, self._places, message_id, place, self._junk)
            # Before anybody looks into the junk folder its owner may have taken the mail out again.
            self._places.put(message_id, Place(self._junk, moved=True))
            self._places.write()
        else:
            self._places.put(message_id, msgspec.structs.replace(place, going="", marked=True))
            self._places.write()
            connection.mark(place.uid, True)
        return True

    def _say(self, prediction: PredictionRecord) -> None:
        done = {"move": f"moved to {self._junk}", "flag": "flagged as junk"}[self._act]
        subject = show_safely(prediction.subject, SHOWN_CHARS)
        self._notify(f"{'' if self._apply else 'would be '}{done}: {subject!r} ({prediction.probability:.2f})")


def undo(connection: ImapConnection, places: Places, mailbox: str, junk: str) -> int:
    """Bring back what we have moved, and take our marks off; returns of how many mails.

    Mails that their owner has moved or deleted since are left where they are. All folders are read up to date by now.

    Args:
        mailbox: The name of the folder that is followed.
        junk: The name of the folder for junk.
    """
    done = 0
    ours = places.ours()
    connection.select(junk, readonly=False)
    there = set(connection.uids_from(1))
    for message_id, place in ours.items():
        if place.folder == junk and place.uid in there:
            _move(connection, places, message_id, msgspec.structs.replace(place, old=True), mailbox)
            done += 1
    connection.settle(mailbox)
    connection.select(mailbox, readonly=False)
    there = set(connection.uids_from(1))
    for message_id, place in ours.items():
        if place.folder == mailbox and place.marked and place.uid in there:
            connection.mark(place.uid, False)
            places.put(message_id, msgspec.structs.replace(place, marked=False, old=True))
            places.write()
            done += 1
    return done


def _move(connection: ImapConnection, places: Places, message_id: str, place: Place, folder: str) -> None:
    """Move a mail; while the server may be at it, its arrival there is ours, and what it has refused is its owner's."""
    places.put(message_id, msgspec.structs.replace(place, going=folder))
    places.write()
    try:
        connection.move(place.uid, folder)
    except MoveRefused:
        places.put(message_id, msgspec.structs.replace(place, going=""))
        places.write()
        raise


def check_can(connection: ImapConnection, act: Act, mailbox: str) -> None:
    """Raise UserError when the server cannot move a single mail, or nothing may be changed in the mailbox.

    Args:
        act: What shall be done with spam.
        mailbox: The name of the folder that is followed.
    """
    try:
        connection.select(mailbox, readonly=False)
    except IMAP_ERRORS as error:
        raise UserError(f"{mailbox} cannot be changed ({error}): follow it without --on-spam") from error
    if act == "flag" and not connection.keeps(JUNK_KEYWORD):
        raise UserError(f"{mailbox}: the server keeps no keyword {JUNK_KEYWORD} on its mails: use --on-spam move")
    if act == "move" and not (connection.can("MOVE") or connection.can("UIDPLUS")):
        raise UserError("the IMAP server has neither MOVE nor UIDPLUS: use --on-spam flag")
