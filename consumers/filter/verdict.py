"""Turns a prediction into the terms of mail servers: a score, an action, and a symbol with the reasons."""

from __future__ import annotations

import re
from typing import NamedTuple

from stream_nb.mail.limits import MAX_MAIL_BYTES
from stream_nb.types import Mail

from ..model.stream_model import StreamModel
from ..records.mail_id import ID_HEADER
from ..records.number_text import many
from ..records.sanitize import show_safely
from ..records.schemas import PredictionRecord
from ..settings import FilterSettings
from .headers import header_value

REQUIRED = 5.0
"""The score of a mail exactly at the threshold. Log-odds are shifted to it, because MTAs' rules compare scores with
SpamAssassin's 5."""

FIELD, WORDS_FIELD = "X-Stream-NB", "X-Stream-NB-Words"
FIELD_NAMES = (FIELD, ID_HEADER, WORDS_FIELD)
"""The names of all header fields that a verdict may add. A mail that comes with any of them has forged ones."""

ALMOST = REQUIRED - 0.01
NO_ACTION = "no action"
_NOT_A_NAME = re.compile(r"\W+", re.ASCII)


class Symbol(NamedTuple):
    """A named part of the score; `options` are its words with their weights."""

    name: str
    score: float
    description: str
    options: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """The answer about one mail.

    `label` is None without a prediction; `symbol` then has the reason, and the action is "no action".
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
        """The header fields to add to the mail."""
        about = self.label or self.symbol.name
        value = f"{about}; probability={self.probability:.4f}; score={self.score:.2f}"
        fields = [(FIELD, value)]
        if self.id:
            fields.append((ID_HEADER, self.id))
        if self.symbol.options:
            fields.append((WORDS_FIELD, ", ".join(self.symbol.options)))
        return [(name, header_value(value)) for name, value in fields]


def strongest_words(model: StreamModel, mail: Mail, most: int) -> tuple[str, ...]:
    """The terms that weigh most in a mail's score, with their weights, each as ``word +0.52``.

    They are those of the positive class against the best other one; of three or more classes, those of the best one.
    The model must have two classes; there are at most `most` terms.
    """
    evidence = model.evidence(mail, most)
    if len(model.classes) > 2 and evidence.log_odds < 0:
        evidence = model.evidence(mail, most, evidence.rival)
    return tuple(f"{show_safely(term.text, 60)} {term.weight:+z.2f}" for term in evidence.terms)


def scored_verdict(prediction: PredictionRecord, words: tuple[str, ...], settings: FilterSettings) -> Verdict:
    """The verdict on a scored mail.

    The score is the distance of the log-odds from the threshold, plus `REQUIRED`. It is clamped so that it reaches
    `REQUIRED` if and only if the predicted label is the positive class. `words` are those of `strongest_words`.
    """
    label = prediction.label
    is_spam = prediction.is_positive
    score = REQUIRED + prediction.log_odds - prediction.threshold
    score = max(score, REQUIRED) if is_spam else min(score, ALMOST)
    if label is None or set(prediction.scores) == {prediction.positive}:
        known = "nothing yet" if label is None else f"only {prediction.positive}; let it learn another class, too"
        symbol = Symbol("STREAM_NB_UNTRAINED", 0.0, f"the model has learned {known}")
        return Verdict(prediction.id, None, False, 0.0, prediction.probability, 0.0, NO_ACTION, symbol)
    name = "STREAM_NB_" + _NOT_A_NAME.sub("_", label.upper())[:40]
    chance = f"probability of {prediction.positive} {prediction.probability:.4f}"
    about = f"{label}; {chance}; {many(prediction.labels_learned, 'label')} learned"
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


def unscored_verdict(mail_id: str, reason: str, detail: str) -> Verdict:
    """The verdict on a mail without a prediction: "no action", with a symbol for the reason.

    Args:
        mail_id: The mail's id on the log; empty for none.
        reason: The symbol's name without the prefix ``STREAM_NB_``.
        detail: The reason, for people.
    """
    return Verdict(mail_id, None, False, 0.0, 0.5, 0.0, NO_ACTION, Symbol(f"STREAM_NB_{reason}", 0.0, detail))


def unscorable(raw: bytes) -> Verdict | None:
    """The verdict on a `raw` mail that is too large or empty; None for other mails."""
    if len(raw) > MAX_MAIL_BYTES:
        return unscored_verdict("", "TOO_LARGE", f"mails of more than {MAX_MAIL_BYTES} bytes are not scored")
    if not raw.strip():
        return unscored_verdict("", "EMPTY", "there is nothing to score")
    return None


def action(score: float, settings: FilterSettings) -> str:
    """The strongest action whose threshold the `score` reaches: on rspamd's scale, `REQUIRED` or more is spam.

    >>> action(5.0, FilterSettings()), action(4.9, FilterSettings()), action(9.0, FilterSettings(reject=9.0))
    ('add header', 'no action', 'reject')
    """
    for name, least in thresholds(settings).items():
        if score >= least:
            return name
    return NO_ACTION


def thresholds(settings: FilterSettings) -> dict[str, float]:
    """The configured actions and their thresholds, the strongest action first."""
    found = {
        "reject": settings.reject,
        "soft reject": settings.soft_reject,
        "rewrite subject": settings.rewrite_subject,
        "add header": settings.add_header,
    }
    return {name: least for name, least in found.items() if least is not None}
