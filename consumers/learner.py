"""The learner as the settings ask for it."""

from __future__ import annotations

import math

from consumers.settings import LearnerSettings
from stream_nb import BernoulliNB, MailNB, MultinomialNB

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
