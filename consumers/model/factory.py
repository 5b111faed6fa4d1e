"""The learner as the settings ask for it."""

from __future__ import annotations

import math

from stream_nb import MailNB
from stream_nb.base import NaiveBayes
from stream_nb.mail_nb.decision import Policy
from stream_nb.registry import MODELS

from ..errors import UserError
from ..settings import LearnerSettings


def new_model(settings: LearnerSettings, key: bytes | None = None) -> MailNB:
    """An empty model that reads its counts as the settings say; `key` is the secret of its word hash."""
    options = {} if key is None else {"key": key}
    if settings.learn == "everything":
        options["band"] = math.inf
    return MailNB(positive=settings.positive, smoothing=settings.smoothing, trust=settings.trust, **options)


def named_model(name: str, settings: LearnerSettings) -> NaiveBayes:
    """The model over text that `stream_nb.registry` knows by this name, empty."""
    if name == "mail":
        return new_model(settings)
    return MODELS[name].new(smoothing=settings.smoothing, positive=settings.positive)


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
