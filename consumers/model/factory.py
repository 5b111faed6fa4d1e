"""The learner as the settings ask for it."""

from __future__ import annotations

import math

from stream_nb import BernoulliNB, MailNB, MultinomialNB
from stream_nb.mail_nb.decision import Policy

from ..errors import UserError
from ..settings import LearnerSettings

TEXTBOOK = {
    "multinomial": lambda **options: MultinomialNB(**options),
    "boolean": lambda **options: MultinomialNB(presence=True, **options),
    "bernoulli": lambda **options: BernoulliNB(**options),
}
"""The models of the lecture notes over words, by the name that `evaluate --model` knows them by."""


def new_model(settings: LearnerSettings, key: bytes | None = None) -> MailNB:
    """An empty model that reads its counts as the settings say; `key` is the secret of its word hash."""
    options = {} if key is None else {"key": key}
    if settings.learn == "everything":
        options["band"] = math.inf
    return MailNB(positive=settings.positive, smoothing=settings.smoothing, trust=settings.trust, **options)


def named_model(name: str, settings: LearnerSettings) -> MailNB | MultinomialNB | BernoulliNB:
    """The model called `mail`, or one of `TEXTBOOK`, empty."""
    if name == "mail":
        return new_model(settings)
    return TEXTBOOK[name](smoothing=settings.smoothing, positive=settings.positive)


def new_policy(settings: LearnerSettings) -> Policy:
    """How scores become labels; raises UserError for settings that contradict each other."""
    try:
        return Policy(
            settings.positive,
            settings.threshold,
            settings.lose_at_most,
            settings.false_positive_cost,
            settings.unsure,
        )
    except ValueError as error:
        raise UserError(f"[learner] {error}") from error
