"""From a prediction to what a mail server understands: a score, the action it asks for, and symbols that say why."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from stream_nb.types import Term

from ..records.sanitize import show_safely
from ..records.schemas import PredictionRecord
from ..settings import FilterSettings
from .headers import header_value
from .mail_id import ID_HEADER

REQUIRED = 5.0
"""The score of a mail on the cut. MTAs' rules compare with SpamAssassin's 5, so the log-odds are moved there."""

ALMOST = REQUIRED - 0.01
NO_ACTION = "no action"
_NOT_A_NAME = re.compile(r"\W+", re.ASCII)


class Symbol(NamedTuple):
    """A named share of the score; `options` are its words with their weights."""

    name: str
    score: float
    description: str
    options: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """What is answered about one mail.

    `label` is None when nothing was predicted: `symbol` then says why, and the action is "no action".
    """

    id: str
    label: str | None
    is_spam: bool
    score: float
    probability: float
    log_odds: float
    action: str
    symbol: Symbol

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The header fields that the mail should carry on."""
        about = self.label or self.symbol.name
        value = f"{about}; probability={self.probability:.4f}; score={self.score:.2f}"
        fields = [("X-Stream-NB", value)]
        if self.id:
            fields.append((ID_HEADER, self.id))
        if self.symbol.options:
            fields.append(("X-Stream-NB-Words", ", ".join(self.symbol.options)))
        return [(name, header_value(value)) for name, value in fields]


def shown_words(terms: Iterable[Term]) -> tuple[str, ...]:
    """Terms of a score with their weights, each as ``word +0.52``."""
    return tuple(f"{show_safely(term.text, 60)} {term.weight:+.2f}" for term in terms)


def judged(prediction: PredictionRecord, words: tuple[str, ...], settings: FilterSettings) -> Verdict:
    """The verdict on a scored mail.

    The score is the log-odds above the cut plus `REQUIRED`, and reaches `REQUIRED` exactly when the prediction's label
    is the positive class, so that a score says the same as the label.

    Args:
        words: The strongest words with their weights, as `shown_words` gives them.
    """
    label = prediction.label
    is_spam = prediction.is_positive
    score = REQUIRED + prediction.log_odds - prediction.threshold
    score = max(score, REQUIRED) if is_spam else min(score, ALMOST)
    if label is None or set(prediction.scores) == {prediction.positive}:
        known = "nothing yet" if label is None else f"{prediction.positive} alone; give it mail of another class"
        symbol = Symbol("STREAM_NB_UNTRAINED", 0.0, f"the model has learned {known}")
        return Verdict(prediction.id, None, False, 0.0, prediction.probability, 0.0, NO_ACTION, symbol)
    name = "STREAM_NB_" + _NOT_A_NAME.sub("_", label.upper())[:40]
    chance = f"probability of {prediction.positive} {prediction.probability:.4f}"
    about = f"{label}; {chance}; {prediction.labels_learned} labels learned"
    symbol = Symbol(name, score, about, words)
    return Verdict(
        prediction.id,
        label,
        is_spam,
        score,
        prediction.probability,
        prediction.log_odds,
        action(score, settings),
        symbol,
    )


def unjudged(mail_id: str, reason: str, detail: str) -> Verdict:
    """The verdict on a mail that could not be scored in time, or at all: it passes, with a symbol for the reason.

    Args:
        mail_id: The id that it has on the log; empty for none.
        reason: The symbol's name without its first part.
        detail: Why, for people.
    """
    return Verdict(mail_id, None, False, 0.0, 0.5, 0.0, NO_ACTION, Symbol(f"STREAM_NB_{reason}", 0.0, detail))


def action(score: float, settings: FilterSettings) -> str:
    """The strongest action whose score is reached.

    Args:
        score: On rspamd's scale: `REQUIRED` or more is spam.

    >>> action(5.0, FilterSettings()), action(4.9, FilterSettings()), action(9.0, FilterSettings(reject=9.0))
    ('add header', 'no action', 'reject')
    """
    for name, least in thresholds(settings).items():
        if score >= least:
            return name
    return NO_ACTION


def thresholds(settings: FilterSettings) -> dict[str, float]:
    """The actions that are set and the scores they begin at, the strongest action first."""
    found = {
        "reject": settings.reject,
        "soft reject": settings.soft_reject,
        "rewrite subject": settings.rewrite_subject,
        "add header": settings.add_header,
    }
    return {name: least for name, least in found.items() if least is not None}
