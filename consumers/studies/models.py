"""The word models that a study can use, by name, and the figure that compares their rankings."""

from __future__ import annotations

import math
from collections.abc import Iterable

from stream_nb.base import NaiveBayes
from stream_nb.metrics import Ranking
from stream_nb.registry import MODELS
from stream_nb.text.base import TextNB

from ..errors import UserError
from ..model.factory import new_mail_model
from ..records.values import Label
from ..settings import LearnerSettings

WORD_MODELS = tuple(name for name, entry in MODELS.items() if entry.messages == "text")
COUNT_MODELS = tuple(name for name in WORD_MODELS if issubclass(MODELS[name].model, TextNB))
"""The textbook models; all can read the same counts."""


def word_model(name: str, smoothing: float, positive: Label = "spam") -> NaiveBayes:
    """Create an empty model by its `name` in `WORD_MODELS`, with this `smoothing` (lambda, 0 or more, in messages) and
    class `positive`. Raises UserError for another name."""
    if name not in WORD_MODELS:
        raise unknown_model(name, WORD_MODELS)
    if name == "mail":
        return new_mail_model(LearnerSettings(smoothing=smoothing, positive=positive))
    return MODELS[name].new(smoothing=smoothing, positive=positive)


def count_model(name: str, smoothing: float, positive: Label = "spam") -> TextNB:
    """Like `word_model`, for a `name` in `COUNT_MODELS` (with its `smoothing` and the class `positive`)."""
    model = word_model(name, smoothing, positive) if name in COUNT_MODELS else None
    if not isinstance(model, TextNB):
        raise unknown_model(name, COUNT_MODELS)
    return model


def one_minus_auc_pct(ranking: Ranking) -> float:
    """(1 - area under the ROC curve) in per cent, 0 to 100; nan if all scores are of one class."""
    value = ranking.one_minus_auc_pct()
    return math.nan if value is None else value


def unknown_model(name: str, known: Iterable[str]) -> UserError:
    """The error to raise for a `name` that is not among the `known` ones."""
    return UserError(f"--model {name}: the models of this study are {', '.join(known)}")
