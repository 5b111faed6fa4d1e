"""The models of words that a study may be asked for, by the names that `evaluate --model` knows."""

from __future__ import annotations

from typing import Any

from stream_nb.registry import MODELS
from stream_nb.text.base import TextNB
from stream_nb.types import Label

from ..errors import UserError
from ..model.factory import named_model
from ..settings import LearnerSettings

WORD_MODELS = tuple(name for name, entry in MODELS.items() if entry.messages == "text")
COUNT_MODELS = tuple(name for name in WORD_MODELS if issubclass(MODELS[name].model, TextNB))


def word_model(name: str, smoothing: float, positive: Label = "spam", among: tuple[str, ...] = WORD_MODELS) -> Any:
    """An empty model. Raises UserError when a study cannot use one of this name."""
    if name not in among:
        raise UserError(f"--model {name}: this study takes {', '.join(among)}")
    return named_model(name, LearnerSettings(smoothing=smoothing, positive=positive))
