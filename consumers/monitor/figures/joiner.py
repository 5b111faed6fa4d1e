"""Joins predictions with labels: a mail has an outcome once both are known, and a new one when its label changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ...model.ledger import Entry, Ledger
from ...records.messages import MailPlace
from ...records.schemas import SILENCE, LabelRecord, PredictionRecord


class Outcome(NamedTuple):
    """One labelled mail: its `true_label`, its prediction on arrival, and when both were first known.

    `label`, `log_odds` and `probability` are the prediction's; `timestamp` is in seconds since 1970. `majority_class`
    and `last_class` are the predictions of two baselines: the commonest class so far and the class of the previously
    labelled mail. Both are None for the first labelled mail.
    """

    id: str
    true_label: str
    label: str | None
    log_odds: float
    probability: float
    timestamp: float
    majority_class: str | None = None
    last_class: str | None = None

    @property
    def correct(self) -> bool:
        """Whether the predicted label is the true one."""
        return self.true_label == self.label


@dataclass(slots=True, eq=False)
class ScoredMail:
    """A scored mail: its prediction, and what became known later.

    `audit_weight` is the inverse of the mail's probability of being drawn for the audit (0: not drawn), and
    `audit_slot` its slot among the drawn mails that are kept (None: it is none of them). `true_label` is its
    current label (None: none), given by `source`; `labelled_at` is when its newest label record was appended, even if
    that withdrew another label. `learned_label` is the label that counts in the model since `learned_at`; if `capped`,
    nothing was learned from it (`LearnedLabel`). Times are in seconds since 1970; 0 means never. `outcome` is None
    while the mail has no label; it is counted for `outcome_sources`. A label of `SILENCE` only sets `silent`: it
    repeats the prediction, so as a true label it would merely confirm it. `stratum` is that of `estimate`, None until
    it is needed.
    """

    prediction: PredictionRecord
    audit_weight: float
    audit_slot: int | None = None
    true_label: str | None = None
    source: str = ""
    labelled_at: float = 0.0
    learned_label: str | None = None
    learned_at: float = 0.0
    capped: bool = False
    outcome: Outcome | None = None
    outcome_sources: tuple[str, ...] = ()
    silent: bool = False
    stratum: int | None = None

    @property
    def place(self) -> MailPlace:
        """The mail's place on the log."""
        return MailPlace(self.prediction.partition, self.prediction.next_offset - 1)


class LabelJoiner:
    """The latest `remember` mails by id, joined with their labels. `accepts` says whether a label counts: it is called
    when the label arrives, and again when its mail arrives later."""

    def __init__(self, remember: int, accepts: Callable[[str | None], bool] = lambda label: True) -> None:
        self._remember = remember
        self._accepts = accepts
        self._ledger = Ledger(remember_mails=remember, remember_labels=2 * remember, remember_s=float("inf"))
        self.mails: OrderedDict[str, ScoredMail] = OrderedDict()

    def add_mail(self, mail: ScoredMail) -> bool:
        """Add a scored mail; return False, and ignore the mail, if its id is known: the first prediction counts."""
        message_id = mail.prediction.id
        if message_id in self.mails:
            return False
        self.mails[message_id] = mail
        if len(self.mails) > self._remember:
            self.mails.popitem(last=False)
        entry = self._ledger.entries.get(message_id)
        if entry is not None and self._accepts(entry.label):
            _label(mail, entry, entry.timestamp)
        return True

    def add_label(self, label: LabelRecord, timestamp: float) -> ScoredMail | None:
        """Add a label appended at `timestamp`; return its mail.

        Returns None if the mail is not known yet, or if the label does not count, which changes nothing. The mail's
        `true_label` becomes the latest label that was not withdrawn; labels of `SILENCE` do not affect it.
        """
        entry = self._ledger.record_label(label, timestamp)
        if label.label is None:
            entry = entry.accepted(self._accepts)
        if not self._accepts(entry.label):
            return None
        self._ledger.put(entry)
        for expired in self._ledger.expired(timestamp):
            self._ledger.evict(expired.id)
        mail = self.mails.get(label.id)
        if mail is None:
            return None
        _label(mail, self._ledger.entries.get(label.id), mail.labelled_at if label.source == SILENCE else timestamp)
        return mail


def _label(mail: ScoredMail, entry: Entry | None, timestamp: float) -> None:
    """Set the mail's label fields from its ledger entry; the label was appended at `timestamp`."""
    votes = entry.votes if entry is not None else ()
    mail.silent = bool(votes) and votes[0].source == SILENCE
    vote = votes[-1] if votes and votes[-1].source != SILENCE else None
    mail.true_label = vote.label if vote is not None else None
    mail.source = vote.source if vote is not None else ""
    mail.labelled_at = timestamp if mail.true_label is not None else 0.0
