"""The model and the policy that the settings ask for."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from stream_nb import BernoulliNB, MailNB, MultinomialNB
from stream_nb.mail_nb.decision import Policy

from ..errors import UserError
from ..settings import LearnerSettings

TEXTBOOK: dict[str, Callable[..., MultinomialNB | BernoulliNB]] = {
    "multinomial": MultinomialNB,
    "boolean": partial(MultinomialNB, presence=True),
    "bernoulli": BernoulliNB,
}
"""The textbook models of text, by the name that `evaluate --model` has for them."""


def new_model(settings: LearnerSettings, key: bytes | None = None) -> MailNB:
    """An empty mail model; `key` is the secret of its word hash, None a key for study."""
    options: dict[str, Any] = {"band": math.inf} if settings.learn == "everything" else {}
    return MailNB(key, positive=settings.positive, smoothing=settings.smoothing, trust=settings.trust, **options)


def named_model(name: str, settings: LearnerSettings) -> MailNB | MultinomialNB | BernoulliNB:
    """An empty model: ``mail``, or one of `TEXTBOOK`. Raises KeyError for another name."""
    if name == "mail":
        return new_model(settings)
    return TEXTBOOK[name](smoothing=settings.smoothing, positive=settings.positive)


def new_policy(settings: LearnerSettings) -> Policy:
    """How scores become labels. Raises UserError for settings that contradict each other."""
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
