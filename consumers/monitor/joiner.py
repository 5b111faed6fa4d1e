"""Predictions joined with labels: a mail is judged once both are here, again when its label changes."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from ..model.ledger import Ledger
from ..records.schemas import LabelRecord, PredictionRecord


class Outcome(NamedTuple):
    """One labelled mail: what it is (`truth`), what the model said on arrival, and when both were known (`at`).

    `base` and `last` are what two baselines would have said: the commonest class so far, and the class of the mail
    judged before. None: they had seen nothing yet.
    """

    id: str
    truth: str
    given: str | None
    log_odds: float
    probability: float
    at: float
    base: str | None = None
    last: str | None = None

    @property
    def right(self) -> bool:
        """The model said what the mail is."""
        return self.truth == self.given


class ScoredMail:
    """A mail that was scored: its prediction, and what has become known since.

    `place` is partition and offset of the mail, `weight` the inverse of its chance to be drawn for the audit (0: it
    was not drawn), `labelled_at` when its label was appended.
    """

    __slots__ = (
        "judgement",
        "labelled_at",
        "learned",
        "learned_at",
        "prediction",
        "source",
        "truth",
        "weight",
    )

    def __init__(self, prediction: PredictionRecord, weight: float) -> None:
        self.prediction = prediction
        self.weight = weight
        self.truth: str | None = None
        self.source = ""
        self.labelled_at = 0.0
        self.learned: str | None = None
        self.learned_at = 0.0
        self.judgement: Outcome | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Partition and offset of the mail."""
        return self.prediction.partition, self.prediction.next_offset - 1


class Joined:
    """The mails of late by id and the votes about them, bounded by number."""

    def __init__(self, remember: int) -> None:
        self._remember = remember
        self._ledger = Ledger(remember_mails=remember, remember_labels=2 * remember, remember_s=float("inf"))
        self.mails: OrderedDict[str, ScoredMail] = OrderedDict()

    def add_mail(self, seen: ScoredMail) -> bool:
        """Take a scored mail in; False when its id was met before (the first prediction is the one that counts)."""
        message_id = seen.prediction.id
        if message_id in self.mails:
            return False
        self.mails[message_id] = seen
        if len(self.mails) > self._remember:
            self.mails.popitem(last=False)
        entry = self._ledger.entries.get(message_id)
        if entry is not None and entry.vote is not None:
            seen.truth, seen.source, seen.labelled_at = entry.label, entry.vote.source, entry.timestamp
        return True

    def add_label(self, label: LabelRecord, at: float) -> ScoredMail | None:
        """Hear a label appended `at`; returns its mail, or None when that is not here yet.

        The mail's `truth` is then the latest vote that stands.
        """
        self._ledger.put(self._ledger.record_label(label, at))
        for entry in self._ledger.expired(at):
            self._ledger.evict(entry.id)
        seen = self.mails.get(label.id)
        if seen is None:
            return None
        entry = self._ledger.entries.get(label.id)
        vote = entry.vote if entry is not None else None
        seen.truth = vote.label if vote is not None else None
        seen.source = vote.source if vote is not None else ""
        seen.labelled_at = at if seen.truth is not None else 0.0
        return seen
