"""The model and the policy that the settings ask for."""

from __future__ import annotations

import math
from typing import Any

from stream_nb import MailNB
from stream_nb.base import NaiveBayes
from stream_nb.mail_nb.decision import Policy
from stream_nb.registry import MODELS

from ..errors import UserError
from ..settings import LearnerSettings


def new_model(settings: LearnerSettings, key: bytes | None = None) -> MailNB:
    """An empty mail model; `key` is the secret of its word hash, None a key for study."""
    options: dict[str, Any] = {"band": math.inf} if settings.learn == "everything" else {}
    return MailNB(key, positive=settings.positive, smoothing=settings.smoothing, trust=settings.trust, **options)


def named_model(name: str, settings: LearnerSettings) -> NaiveBayes:
    """The model over text that `stream_nb.registry` knows by this name, empty."""
    if name == "mail":
        return new_model(settings)
    return MODELS[name].new(smoothing=settings.smoothing, positive=settings.positive)


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
