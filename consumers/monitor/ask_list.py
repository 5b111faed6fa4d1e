"""The unlabelled mails most worth labelling, and how much earlier labels of such mails changed the model."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable
from typing import NamedTuple

import msgspec

from stream_nb import Score
from stream_nb.active import margin, uncertainty

from ..explain.explainer import Explainer
from ..records.scores import score_of
from ..records.values import Label, bounded
from .figures.joiner import ScoredMail
from .mail_row import MailRow, mail_row

LATEST = 2_000
"""How many of the latest unlabelled mails are considered."""
CANDIDATES = 100
"""How many of those, the least certain on arrival, are rescored with the current model."""
UNCERTAIN = 0.5
"""Mails with at least this uncertainty are worth asking about: another class is within 1 in log-odds."""


class AskedMail(msgspec.Struct, frozen=True):
    """An unlabelled mail with its score by the current model.

    `label` leads `runner_up` by `margin` in log-odds; both are None while the model knows one class only. Of the mail's
    words and pairs, `known` have been learned and `unseen` have not.
    """

    row: MailRow
    label: Label | None
    log_odds: float
    probability: float
    uncertainty: float
    margin: float | None
    runner_up: Label | None
    known: int
    unseen: int


class LabelGains(msgspec.Struct, frozen=True):
    """The number of labels, how many `corrected` the prediction, and the sum of their weights in the model (`taught`;
    1 is a mail learned in full)."""

    labels: int
    corrected: int
    taught: float


class AskList(msgspec.Struct, frozen=True):
    """The mails to ask about, chosen from the `unlabelled` latest ones, of which `uncertain` were uncertain on arrival.

    `gains` covers the labels of remembered mails that were uncertain on arrival, `other_gains` all other labels.
    """

    mails: list[AskedMail]
    unlabelled: int
    uncertain: int
    gains: LabelGains
    other_gains: LabelGains


class _Labelled(NamedTuple):
    partition: int
    id: str
    uncertain: bool
    corrected: bool


class AskPool(NamedTuple):
    """The input of `ask_list`, based on the scores that mails had on arrival."""

    candidates: list[MailRow]
    unlabelled: int
    uncertain: int
    labelled: list[_Labelled]


def ask_pool(mails: Collection[ScoredMail]) -> AskPool:
    """The pool of `mails`: all remembered mails, oldest first."""
    unlabelled = [mail for mail in mails if mail.true_label is None]
    latest = unlabelled[-LATEST:][::-1]
    values = {mail.place: uncertainty(score_of(mail.prediction)) for mail in latest}
    best = heapq.nlargest(CANDIDATES, _without_copies(latest), key=lambda mail: values[mail.place])
    labelled = [
        _Labelled(
            mail.place.partition,
            mail.prediction.id,
            uncertainty(score_of(mail.prediction)) >= UNCERTAIN,
            mail.true_label != mail.prediction.label,
        )
        for mail in mails
        if mail.true_label is not None
    ]
    return AskPool(
        [mail_row(mail) for mail in best],
        len(latest),
        sum(value >= UNCERTAIN for value in values.values()),
        labelled,
    )


def _without_copies(mails: Iterable[ScoredMail]) -> Collection[ScoredMail]:
    """The first of the mails with the same sender and subject, and all without a subject."""
    first: dict[object, ScoredMail] = {}
    for mail in mails:
        known = mail.prediction
        first.setdefault((known.sender, known.subject) if known.subject else mail.place, mail)
    return first.values()


def ask_list(pool: AskPool, explainer: Explainer, most: int) -> AskList:
    """At most `most` mails to ask about, the most uncertain first; of equally uncertain mails the newer first.

    Raises BadRecord while there is no model.
    """
    scores = explainer.rescored(row.place for row in pool.candidates)
    mails = [_asked(row, scores[row.place]) for row in pool.candidates if row.place in scores]
    mails.sort(key=lambda mail: (-mail.uncertainty, -mail.row.arrived_at))
    taught = explainer.taught((mail.partition, mail.id) for mail in pool.labelled)
    gains, others = (_gains((m for m in pool.labelled if m.uncertain is kind), taught) for kind in (True, False))
    return AskList(mails[:most], pool.unlabelled, pool.uncertain, gains, others)


def _asked(row: MailRow, score: Score) -> AskedMail:
    first, second, *_ = *heapq.nlargest(2, score.scores, key=score.scores.__getitem__), None, None
    return AskedMail(
        row=row,
        label=first,
        log_odds=bounded(score.log_odds),
        probability=score.probability,
        uncertainty=uncertainty(score),
        margin=None if second is None else bounded(margin(score)),
        runner_up=second,
        known=score.known,
        unseen=score.unseen,
    )


def _gains(labelled: Iterable[_Labelled], taught: dict[str, float]) -> LabelGains:
    mails = list(labelled)
    return LabelGains(
        len(mails), sum(mail.corrected for mail in mails), sum(taught.get(mail.id, 0.0) for mail in mails)
    )
