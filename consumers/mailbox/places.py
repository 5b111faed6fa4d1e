"""Where each mail of a mailbox was last seen, kept on the log, and what its next place says.

A mail that comes into the junk folder from another one, or out of it, was moved by its owner: that is a label. Mails
that are new in the junk folder were delivered there by a server, which says nothing.

The state is on the compacted topic `feeds`, so it is as durable as the mails are:

| key                       | value                                                                           |
|---------------------------|---------------------------------------------------------------------------------|
| account, mail, id         | a `Place`; none once the mail is forgotten                                      |
| account, position, folder | a `Position`: up to where the folder was read                                   |
| account, predictions      | up to where predictions were read: a next offset for each partition             |

A record that is none of these, by whoever may write to the topic, is skipped.

Mails and labels are appended before the state is. After a crash between the two the same mails and labels come once
more, under the same ids.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import msgspec

from ..errors import UNDECODABLE, BadRecord
from ..filter.mail_id import carried_id, content_hash, content_of, repeatable_id
from ..ingest.plural import many
from ..log.base import Log, ProducerRecord, TopicPartition
from ..records.messages import as_value
from ..records.schemas import EMAILS, FEEDS, LABELS, LabelRecord, encode
from ..records.skipped import SkippedRecords
from ..records.sources import check_own_source

SPAM, HAM = "spam", "ham"

T = TypeVar("T")


class Place(msgspec.Struct, frozen=True):
    """Where a mail is.

    Args:
        folder: The folder.
        uid: Its number there; 0 while it is not known.
        old: It was there before the mailbox was followed, and nothing is done with it.
        going: The folder that we are moving it to; "" for none.
        moved: We have moved it here.
        marked: We have marked it as junk.
        name: The name of its file, in a Maildir.
        keyword: The label that its keywords gave it last.
    """

    folder: str
    uid: int = 0
    old: bool = False
    going: str = ""
    moved: bool = False
    marked: bool = False
    name: str = ""
    keyword: str | None = None


class Position(msgspec.Struct, frozen=True):
    """Up to where a folder was read: UIDs below `uidnext` are known; those below `old` were there at the start, and
    those below `renumbered` when the server last gave all mails new numbers."""

    uidvalidity: int
    uidnext: int
    old: int
    renumbered: int = 0


class Places:
    """The mails of one account, in memory and on the log.

    Args:
        log: The log.
        account: The account's name, part of the keys.
        source: Who moves mails: the source of the labels.
        is_junk: Whether a folder of this name is for junk; None for one that is not followed.
        remember: So many mails are remembered, the latest.

    Raises:
        UserError: `source` is nobody's name.
    """

    def __init__(
        self, log: Log, account: str, source: str, is_junk: Callable[[str], bool | None], remember: int
    ) -> None:
        check_own_source(source, account)
        self._log = log
        self._account = account
        self._source = source
        self._is_junk = is_junk
        self._remember = remember
        self._mails: list[ProducerRecord] = []
        self._state: list[ProducerRecord] = []
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._positions: dict[str, Position] = {}
        self.read_to: dict[int, int] | None = None
        self.mails = 0
        self.labels = 0
        self._load()

    @property
    def counts(self) -> str:
        """How many mails and labels came, for people."""
        return f"{many(self.mails, 'new mail')} and {many(self.labels, 'label')}"

    def position(self, folder: str) -> Position | None:
        """Up to where a folder, by its name `folder`, was read; None when it never was."""
        return self._positions.get(folder)

    def find(self, message_id: str) -> Place | None:
        """Where the mail with this `message_id` is; None when it is not known."""
        return self._places.get(message_id)

    def all(self) -> Iterator[tuple[str, Place]]:
        """The ids of the mails that are known, and where they are."""
        yield from self._places.items()

    def ours(self) -> dict[str, Place]:
        """The mails that we have moved, are moving, or have marked."""
        return {name: place for name, place in self._places.items() if place.moved or place.going or place.marked}

    def arrive(
        self,
        raw: bytes,
        folder: str,
        uid: int = 0,
        old: bool = False,
        label: str | None = None,
        name: str = "",
        keyword: str | None = None,
        maybe_copy: bool = False,
    ) -> str:
        """A mail is seen in a folder; returns its id.

        Args:
            raw: The mail.
            folder: The folder.
            uid: Its number there.
            old: It was there before this account was followed.
            label: What its being there says, whatever was known.
            name: The name of its file.
            keyword: The label that its keywords give.
            maybe_copy: It may have been here before, with a copy where it was seen last, so that it shows no move.
        """
        message_id = mail_id(raw)
        was = self._places.get(message_id)
        if was is None:
            self._mails.append(ProducerRecord(EMAILS, message_id.encode(), as_value(raw)))
            self.mails += 1
        was_old, moved, marked = False, False, False
        if was is not None:
            was_old, marked = was.old, was.marked and was.folder == folder
            moved = bool(self._is_junk(folder)) and (was.going == folder or was.moved)
            sides = {self._is_junk(was.folder), self._is_junk(folder)}
            if sides == {True, False} and not maybe_copy and was.going != folder:
                label = SPAM if self._is_junk(folder) else HAM
        if label is not None:
            self.label(message_id, label)
        place = Place(folder, uid, old or was_old, moved=moved, marked=marked, name=name, keyword=keyword)
        self.put(message_id, place)
        return message_id

    def label(self, message_id: str, label: str) -> None:
        """The owner gives the mail with this `message_id` the class `label`, with the next `write`."""
        vote = LabelRecord(message_id, label, self._source, time.time())
        self._mails.append(ProducerRecord(LABELS, message_id.encode(), encode(vote)))
        self.labels += 1

    def put(self, message_id: str, place: Place) -> None:
        """Remember where the mail with this `message_id` is, with the next `write`."""
        self._places[message_id] = place
        self._places.move_to_end(message_id)
        self._state.append(self._record(f"mail {message_id}", place))
        if len(self._places) > self._remember:
            oldest, _ = self._places.popitem(last=False)
            self._state.append(self._record(f"mail {oldest}", None))

    def reach(self, folder: str, position: Position) -> None:
        """The folder named `folder` is read up to here, with the next `write`."""
        if self._positions.get(folder) != position:
            self._positions[folder] = position
            self._state.append(self._record(f"position {folder}", position))

    def reach_predictions(self, next_offsets: Mapping[int, int]) -> None:
        """Predictions are read up to `next_offsets` (by partition), with the next `write`."""
        if self.read_to != dict(next_offsets):
            self.read_to = dict(next_offsets)
            self._state.append(self._record("predictions", self.read_to))

    def write(self) -> None:
        """Make durable what has changed since the last call; raises LogUnavailable, and can be called again."""
        if self._mails:
            self._log.append(self._mails)
            self._mails = []
        if self._state:
            self._log.append(self._state)
            self._state = []

    def _load(self) -> None:
        start = f"{self._account} "
        skipped = SkippedRecords()
        for record in self._log.scan(TopicPartition(FEEDS, 0)):
            key = (record.key or b"").decode("utf-8", "replace")
            if not key.startswith(start):
                continue
            kind, _, name = key.removeprefix(start).partition(" ")
            try:
                self._load_one(kind, name, record.value)
            except UNDECODABLE as error:
                skipped.skip(record, BadRecord("bad-json", str(error)))

    def _load_one(self, kind: str, name: str, value: bytes | None) -> None:
        """Raises one of UNDECODABLE for a value that is not of this kind."""
        if kind == "mail" and value is None:
            self._places.pop(name, None)
        elif kind == "mail":
            place = _decode(value, Place)
            self._places[name] = place
            self._places.move_to_end(name)
        elif kind == "position":
            self._positions[name] = _decode(value, Position)
        elif kind == "predictions":
            self.read_to = _decode(value, dict[int, int])

    def _record(self, name: str, value: object) -> ProducerRecord:
        encoded = None if value is None else msgspec.json.encode(value)
        return ProducerRecord(FEEDS, f"{self._account} {name}".encode(), encoded, 0)


def _decode(value: bytes | None, kind: type[T]) -> T:
    return msgspec.json.decode(value or b"", type=kind)


def mail_id(raw: bytes) -> str:
    """The id of a mail (`raw` bytes) in a mailbox: that under which it passed a filter of ours, else one by its bytes.

    The header that carries an id is believed only where it is about this content, which a forger gains nothing by.
    """
    carried = carried_id(raw)
    return carried if carried is not None and content_of(carried) == content_hash(raw) else repeatable_id(raw)
