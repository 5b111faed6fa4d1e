"""The ledger of one partition: which mails were seen, who called them what, and what was learned from it.

A message's label is the latest vote about it that has not been forgotten; each source has one vote a message, and
"no label" is an vote too. The update that was learned is kept with it, so that a change takes back exactly what was
given. All of it is bounded: the oldest mails and labels are let go first, by count and by age.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from stream_nb.types import Label, Update

from ..records.schemas import LabelRecord

MAX_VOTES = 16


class LabelVote(msgspec.Struct, frozen=True, array_like=True):
    """`source` called the message `label` (None: nothing) at a time in seconds since 1970."""

    source: str
    label: Label | None
    timestamp: float


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """What is known about one labelled message; `next_offset` 0 says that its mail has not come yet.

    `timestamp` is the log's time of the last record about it; what people say of the time does not count here.
    """

    id: str
    next_offset: int
    timestamp: float
    votes: tuple[LabelVote, ...] = ()
    update: Update | None = None

    @property
    def vote(self) -> LabelVote | None:
        """The one that counts: the latest."""
        return self.votes[-1] if self.votes else None

    @property
    def label(self) -> Label | None:
        """What the message is called now."""
        return self.votes[-1].label if self.votes else None

    @property
    def reconciled(self) -> bool:
        """The update that was learned is about the label that counts, from the source that gave it."""
        if self.label is None or self.update is None:
            return self.label is None and self.update is None
        return (self.update.label, self.update.source) == (self.label, self.vote.source)

    @property
    def awaits_mail(self) -> bool:
        """A label is here and its mail is not."""
        return self.next_offset == 0 and self.label is not None


class Ledger:
    """Mails and labels of one partition, bounded in number and age."""

    def __init__(self, remember_mails: int, remember_labels: int, remember_s: float) -> None:
        self._remember_mails = remember_mails
        self._remember_labels = remember_labels
        self._remember_s = remember_s
        self._mails: dict[str, int] = {}
        self.entries: dict[str, Entry] = {}

    def record_mail(self, message_id: str, next_offset: int) -> bool:
        """Note where a mail stands; False when this id was seen before (the first one keeps the name)."""
        known = self.find_mail(message_id)
        if message_id not in self._mails:
            # Also of a labelled mail: its entry goes when all labels are taken back, and the mail is seen still.
            self._mails[message_id] = known or next_offset
            if len(self._mails) > self._remember_mails:
                del self._mails[next(iter(self._mails))]
        return not known

    def find_mail(self, message_id: str) -> int:
        """The mail's next_offset, or 0 when it was never seen or is forgotten."""
        entry = self.entries.get(message_id)
        if entry is not None and entry.next_offset:
            return entry.next_offset
        return self._mails.get(message_id, 0)

    def record_label(self, record: LabelRecord, at: float) -> Entry:
        """The entry as it is once this label, appended `at`, is heard; `put` it when it has been acted on."""
        old = self.entries.get(record.id) or Entry(record.id, self.find_mail(record.id), at)
        kept = tuple(vote for vote in old.votes if vote.source != record.source)
        if not record.forget:
            kept = (*kept, LabelVote(record.source, record.label, record.timestamp))[-MAX_VOTES:]
        return Entry(old.id, old.next_offset or self.find_mail(record.id), at, kept, old.update)

    def put(self, entry: Entry) -> None:
        """Keep an entry, as the newest; one without votes and without a update is dropped."""
        self.entries.pop(entry.id, None)
        if entry.votes or entry.update is not None:
            self.entries[entry.id] = entry

    def expired(self, now: float) -> list[Entry]:
        """The entries that are too old or too many at the log's time `now`, oldest first; `drop` lets them go."""
        excess = max(0, len(self.entries) - self._remember_labels)
        oldest = now - self._remember_s
        gone: list[Entry] = []
        for entry in self.entries.values():
            if len(gone) >= excess and entry.timestamp >= oldest:
                break
            gone.append(entry)
        return gone

    def drop(self, message_id: str) -> Entry | None:
        """Let go of an entry; what it taught stays. Returns it, or None when it is not here."""
        # A later label of this message must not teach again what it has taught.
        self._mails.pop(message_id, None)
        return self.entries.pop(message_id, None)

    def restore(self, entries: Iterable[Entry]) -> None:
        """Take entries over as they were put, oldest first."""
        for entry in entries:
            self.put(entry)
