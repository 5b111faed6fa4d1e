"""The ledger of one partition: the offsets of its mails, their labels by source, and what was learned from each.

The label of a message is its latest vote that has not been withdrawn; each source has one vote per message, and "no
label" is a vote, too. A vote of `SILENCE` ranks as the earliest, whenever it arrived. The learned update is stored with
the votes, so that a changed label reverts exactly what was added. Memory is bounded: the oldest mails and labels are
evicted first, by number and by age.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple

import msgspec

from stream_nb.types import Update

from ..records.schemas import SILENCE, LabelRecord
from ..records.values import Label
from .packed import PackedDict

MAX_VOTES = 16
"""Most votes kept per message; the oldest ones are dropped first."""


class LabelVote(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The label that a source gave a message (None: "no label"); `timestamp` is in seconds since 1970."""

    source: str
    label: Label | None
    timestamp: float


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is known about one labelled message.

    Args:
        id: The message id.
        next_offset: The offset after the mail's own on `emails`; 0 until the mail arrives.
        timestamp: When the last record about the message was appended, in seconds since 1970. The timestamps of the
            votes are claims of their sources, and decide nothing.
        votes: One per source, the latest last; that of `SILENCE` first.
        update: What the model has learned from the message; None for nothing.
        halvings: The replica's count of halvings when the update was learned (`[learner] half_life`).
        faded: How much of the previous update had decayed when it was reverted, in 1/256.
    """

    id: str
    next_offset: int
    timestamp: float
    votes: tuple[LabelVote, ...] = ()
    update: Update | None = None
    halvings: int = 0
    faded: int = 0

    @property
    def vote(self) -> LabelVote | None:
        """The vote that counts: the latest."""
        return self.votes[-1] if self.votes else None

    @property
    def label(self) -> Label | None:
        """The label of the vote that counts."""
        return self.votes[-1].label if self.votes else None

    @property
    def learned(self) -> Label | None:
        """The label that the model has learned; None when it has learned none."""
        return self.update.label if self.update else None

    @property
    def teaches(self) -> bool:
        """Whether the update is not empty; an update above the cap of its source (`Quota`) is."""
        return self.update is not None and (self.update.weight != 0 or any(self.update.tallies))

    def learned_at(self, timestamp: float) -> LearnedLabel:
        """The learned label, which counts since `timestamp` (seconds since 1970)."""
        return LearnedLabel(self.id, self.learned, timestamp, self.update is not None and not self.teaches)

    @property
    def corrects(self) -> str:
        """`SILENCE` if that has a vote and another source's vote for another class counts; else an empty text."""
        silent = bool(self.votes) and self.votes[0].source == SILENCE
        return SILENCE if silent and self.label not in (self.votes[0].label, None) else ""

    @property
    def reconciled(self) -> bool:
        """Whether the learned update has the label and source of the vote that counts, and corrects the same source,
        unless it is empty."""
        vote, update = self.vote, self.update
        if vote is None or vote.label is None or update is None:
            return self.label is None and update is None
        corrects = self.corrects if self.teaches else ""
        return (update.label, update.source, update.corrects) == (vote.label, vote.source, corrects)

    @property
    def awaits_mail(self) -> bool:
        """Whether the label has arrived and the mail has not."""
        return self.next_offset == 0 and self.label is not None

    def accepted(self, accepts: Callable[[Label | None], bool]) -> Entry:
        """The entry with only those votes whose label `accepts` returns True for.

        A withdrawal is never refused, because it adds no class; the votes that it leaves may be.
        """
        return msgspec.structs.replace(self, votes=tuple(vote for vote in self.votes if accepts(vote.label)))


read_entry = msgspec.msgpack.Decoder(Entry).decode
"""Decode an entry from msgpack."""


class LearnedLabel(NamedTuple):
    """A message whose learned label changed: its new label (None if it was unlearned), and when.

    `timestamp` is in seconds since 1970. If `capped`, the label was only noted, and nothing was learned: its source
    gave more labels than `[worker] source_cap_per_hour`.
    """

    id: str
    label: Label | None
    timestamp: float
    capped: bool = False


class Ledger:
    """Mails and labels of one partition.

    Args:
        remember_mails: Most mails whose offsets are kept.
        remember_labels: Most entries kept; `expired` returns the excess ones.
        remember_s: Age at which an entry expires, in seconds by the log's timestamps.
    """

    def __init__(self, remember_mails: int, remember_labels: int, remember_s: float) -> None:
        self._remember_mails = remember_mails
        self._remember_labels = remember_labels
        self._remember_s = remember_s
        # A plain dict scans past its deleted keys to find the oldest one left; an OrderedDict does not.
        self._mails: OrderedDict[str, int] = OrderedDict()
        self.entries = PackedDict(Entry)
        self.evicted_mails: dict[int, None] = {}
        """The next_offsets of mails whose entries were evicted, as far back as mails may be read again."""

    def record_mail(self, message_id: str, next_offset: int) -> bool:
        """Store the `next_offset` (1 or more) of the mail `message_id` on `emails`, unless its entry was evicted;
        return False if the id is known already (it stays with the first mail), else True."""
        if next_offset in self.evicted_mails:
            return True
        known = self.find_mail(message_id)
        if message_id not in self._mails:
            # Also for a labelled mail, because its entry is removed when all votes are withdrawn; the id stays known.
            self._mails[message_id] = known or next_offset
            if len(self._mails) > self._remember_mails:
                self._mails.popitem(last=False)
        return not known

    def find_mail(self, message_id: str) -> int:
        """The next_offset of the mail `message_id`; 0 if the mail has not arrived or was forgotten."""
        entry = self.entries.get(message_id)
        if entry is not None and entry.next_offset:
            return entry.next_offset
        return self._mails.get(message_id, 0)

    def record_label(self, record: LabelRecord, timestamp: float) -> Entry:
        """Return the message's entry with the vote of a label appended at `timestamp` (in seconds since 1970); the
        caller must `put` it to store it."""
        old = self.entries.get(record.id) or Entry(record.id, 0, timestamp)
        votes = tuple(vote for vote in old.votes if vote.source != record.source)
        if not record.forget:
            given = timestamp if record.timestamp is None else record.timestamp
            vote = LabelVote(record.source, record.label, given)
            votes = ((vote, *votes) if record.source == SILENCE else (*votes, vote))[-MAX_VOTES:]
        next_offset = old.next_offset or self._mails.get(record.id, 0)
        return msgspec.structs.replace(old, next_offset=next_offset, timestamp=timestamp, votes=votes)

    def put(self, entry: Entry) -> None:
        """Store an entry as the newest one; an entry without votes and without an update is removed."""
        if entry.id in self.entries:
            del self.entries[entry.id]
        if entry.votes or entry.update is not None:
            self.entries[entry.id] = entry

    def expired(self, now: float, most: int | None = None) -> list[Entry]:
        """The entries to evict at `now` (in seconds since 1970), oldest first, at most `most` (None: all): those in
        excess of `remember_labels`, and those too old."""
        excess = max(0, len(self.entries) - self._remember_labels)
        oldest = now - self._remember_s
        expired: list[Entry] = []
        for entry in islice(self.entries.values(), most):
            if len(expired) >= excess and entry.timestamp >= oldest:
                break
            expired.append(entry)
        return expired

    def evict(self, message_id: str) -> Entry | None:
        """Remove the entry of `message_id` and its mail, and return the entry (None if there is none); the model keeps
        what it learned."""
        # If the mail stayed known, a later label of this message would be learned a second time.
        self._mails.pop(message_id, None)
        entry = self.entries.pop(message_id, None)
        if entry is not None and entry.next_offset:
            self.keep_evicted((entry.next_offset,))
        return entry

    def keep_evicted(self, next_offsets: Iterable[int]) -> None:
        """Remember mails whose entries were evicted, by their `next_offsets`. Above twice `remember_mails`, only the
        newest `remember_mails` are kept."""
        self.evicted_mails.update(dict.fromkeys(next_offsets))
        if len(self.evicted_mails) > 2 * self._remember_mails:
            self.evicted_mails = dict.fromkeys(sorted(self.evicted_mails)[-self._remember_mails :])

    def restore(self, entries: Iterable[Entry]) -> list[Entry]:
        """Store entries of another ledger, oldest first; returns those whose update differs from the previous one."""
        changed: list[Entry] = []
        for entry in entries:
            old = self.entries.get(entry.id)
            if entry.update != (old.update if old else None):
                changed.append(entry)
            self.put(entry)
        return changed
