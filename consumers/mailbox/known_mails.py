"""Where each mail of a mailbox was last seen, stored on the log, and the labels that moves imply.

A mail that appears in a folder of another class than the one it was in, as in the junk folder, was moved by its owner:
that is a label. A mail that is new in a folder was delivered there by a server, which is not a label.

The state is on the compacted topic `feeds`, so it is as durable as the mails are:

| key                       | value                                                                           |
|---------------------------|---------------------------------------------------------------------------------|
| account, mail, id         | a `KnownMail`; no value once the mail is forgotten                              |
| account, position, folder | a `Position`: how far the folder has been read                                  |
| account, predictions      | the next offset of each partition of `predictions`                              |

Other records, which anyone with access to the topic may write, are skipped.

Mails and labels are appended before the state. After a crash in between, the same mails and labels are appended again,
with the same ids. Timestamps are as the feeder's: those of mails rise by at least a millisecond, and a label has at
least that of the mail before it, so that a worker learns the label of each mail of a mailbox before it scores the next.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

import msgspec

from ..errors import UNDECODABLE, BadRecord
from ..log.base import Log, ProducerRecord, TopicPartition
from ..records.mail_id import carried_id, is_id_of, repeatable_id
from ..records.messages import as_value
from ..records.number_text import many
from ..records.schemas import EMAILS, FEEDS, LABELS, LabelRecord, encode
from ..records.skipped import SkippedRecords
from ..records.sources import check_own_source
from .known_mail import KnownMail, Position

SPAM, HAM = "spam", "ham"


class KnownMails:
    """The mails of one account, in memory and on the log.

    Args:
        account: The account's name, part of the keys.
        source: The source of the labels.
        class_of: The class of a folder, by its name; empty for no class, None for a folder that is not followed.
        remember: How many of the latest mails are remembered; more if they are still where they were seen.
        is_there: Whether a mail is still there, and would be read and written to the log again if it were forgotten.

    Raises:
        UserError: `source` is not a valid source.
    """

    def __init__(
        self,
        log: Log,
        account: str,
        source: str,
        class_of: Callable[[str], str | None],
        remember: int,
        is_there: Callable[[KnownMail], bool] = lambda mail: False,
    ) -> None:
        check_own_source(source, account)
        self._log = log
        self._account = account
        self._source = source
        self._class_of = class_of
        self._remember = remember
        self._is_there = is_there
        self._unwritten: list[ProducerRecord] = []
        self._unwritten_state: list[ProducerRecord] = []
        self._timestamp_ms = 0
        self._by_id: OrderedDict[str, KnownMail] = OrderedDict()
        self._positions: dict[str, Position] = {}
        self.read_to: dict[int, int] | None = None
        self.mails = 0
        self.labels = 0
        self._load()

    @property
    def counts(self) -> str:
        """The numbers of new mails and labels, as text for people."""
        return f"{many(self.mails, 'new mail')} and {many(self.labels, 'label')}"

    @property
    def too_late(self) -> str | None:
        """What to tell a user who wants labels for the mails that exist, if an earlier run has read them; else None."""
        earlier = len(self._by_id) - self.mails
        if self.labels or earlier <= 0:
            return None
        return (
            f"an earlier run has read {many(earlier, 'mail')}, which --labels does not label any more; label them with "
            "`stream-nb learn`, `stream-nb label` or the page, or begin with a new log"
        )

    def position(self, folder: str) -> Position | None:
        """How far the folder named `folder` has been read; None if never."""
        return self._positions.get(folder)

    def find(self, message_id: str) -> KnownMail | None:
        """The known mail with this `message_id`, or None."""
        return self._by_id.get(message_id)

    def all(self) -> Iterator[tuple[str, KnownMail]]:
        """The ids of all known mails, and the mails."""
        yield from self._by_id.items()

    def ours(self) -> dict[str, KnownMail]:
        """The mails that we have moved, are moving, or have marked."""
        return {message_id: mail for message_id, mail in self._by_id.items() if mail.moved or mail.going or mail.marked}

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
        """Record that a mail was seen in a folder; return its id.

        Args:
            raw: The mail's bytes.
            folder: The folder's name.
            uid: The mail's UID there.
            old: Whether it existed before this account was followed.
            label: Its label, unless a move implies another one; None for none.
            name: The name of its file.
            keyword: The label given by its keywords; no label again if they gave it before the mail was moved.
            maybe_copy: Whether a copy may still be in its last known folder, so that this is not a move.
        """
        message_id = mail_id(raw)
        was = self._by_id.get(message_id)
        if was is None:
            self._timestamp_ms = max(self._timestamp_ms + 1, _now_ms())
            timestamp = self._timestamp_ms / 1000
            self._unwritten.append(ProducerRecord(EMAILS, message_id.encode(), as_value(raw), timestamp=timestamp))
            self.mails += 1
            mail = KnownMail(folder, uid, old, name=name, keyword=keyword)
        else:
            if keyword is not None and keyword == was.keyword:
                label = None
            label = self._label_of_move(was, folder, maybe_copy) or label
            moved = self._class_of(folder) == SPAM and (was.going == folder or was.moved)
            marked = was.marked and was.folder == folder
            mail = KnownMail(folder, uid, old or was.old, moved=moved, marked=marked, name=name, keyword=keyword)
        if label is not None:
            self.label(message_id, label)
        self.put(message_id, mail)
        return message_id

    def label(self, message_id: str, label: str) -> None:
        """Label the mail with this `message_id` as `label`, in the owner's name, with the next `write`."""
        timestamp = max(self._timestamp_ms, _now_ms()) / 1000
        vote = LabelRecord(message_id, label, self._source, timestamp)
        self._unwritten.append(ProducerRecord(LABELS, message_id.encode(), encode(vote), timestamp=timestamp))
        self.labels += 1

    def put(self, message_id: str, mail: KnownMail) -> None:
        """Remember the `mail` with this `message_id`, with the next `write`."""
        self._by_id[message_id] = mail
        self._by_id.move_to_end(message_id)
        self._unwritten_state.append(self._record(f"mail {message_id}", mail))
        # Two, so that those that are gone are found although only one is put.
        for oldest, other in list(islice(self._by_id.items(), 2)):
            if len(self._by_id) > self._remember and self._is_there(other):
                self._by_id.move_to_end(oldest)
            elif len(self._by_id) > self._remember:
                del self._by_id[oldest]
                self._unwritten_state.append(self._record(f"mail {oldest}", None))

    def reach(self, folder: str, position: Position) -> None:
        """Remember how far the folder named `folder` has been read, with the next `write`."""
        if self._positions.get(folder) != position:
            self._positions[folder] = position
            self._unwritten_state.append(self._record(f"position {folder}", position))

    def reach_predictions(self, next_offsets: Mapping[int, int]) -> None:
        """Remember how far predictions have been read (`next_offsets`, by partition), with the next `write`."""
        if self.read_to != dict(next_offsets):
            self.read_to = dict(next_offsets)
            self._unwritten_state.append(self._record("predictions", self.read_to))

    def write(self) -> None:
        """Append the changes since the last call to the log; raises LogUnavailable, and can then be called again."""
        if self._unwritten:
            self._log.append(self._unwritten)
            self._unwritten = []
        if self._unwritten_state:
            self._log.append(self._unwritten_state)
            self._unwritten_state = []

    def _label_of_move(self, was: KnownMail, folder: str, maybe_copy: bool) -> str | None:
        """The label that the owner gave by moving a mail to `folder`; None for none, a move of ours, or a copy."""
        before, now = self._class_of(was.folder), self._class_of(folder)
        if maybe_copy or was.going == folder or before is None or before == now:
            return None
        return now or None

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
        """Restore one record; raises one of UNDECODABLE for an invalid value."""
        if kind == "mail" and value is None:
            self._by_id.pop(name, None)
        elif kind == "mail":
            self._by_id[name] = msgspec.json.decode(value or b"", type=KnownMail)
            self._by_id.move_to_end(name)
        elif kind == "position":
            self._positions[name] = msgspec.json.decode(value or b"", type=Position)
        elif kind == "predictions":
            self.read_to = msgspec.json.decode(value or b"", type=dict[int, int])

    def _record(self, name: str, value: object) -> ProducerRecord:
        encoded = None if value is None else msgspec.json.encode(value)
        return ProducerRecord(FEEDS, f"{self._account} {name}".encode(), encoded, 0)


def _now_ms() -> int:
    return int(time.time() * 1000)


@lru_cache(maxsize=1)  # a follower looks a mail up before it records it
def mail_id(raw: bytes) -> str:
    """The id of a mail (`raw` bytes) in a mailbox: its id from our filter, else one that is a hash of its bytes.

    The id in the header counts only if it fits the mail's content, so that forging it is useless.
    """
    carried = carried_id(raw)
    return carried if carried is not None and is_id_of(carried, raw) else repeatable_id(raw)
