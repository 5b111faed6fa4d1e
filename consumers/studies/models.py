"""The models of words that a study may be asked for, by the names that `evaluate --model` knows."""

from __future__ import annotations

from typing import Any

from stream_nb.types import Label

from ..errors import UserError
from ..model.factory import TEXTBOOK, named_model
from ..settings import LearnerSettings

WORD_MODELS = ("mail", *TEXTBOOK)
COUNT_MODELS = tuple(TEXTBOOK)


def word_model(name: str, smoothing: float, positive: Label = "spam", among: tuple[str, ...] = WORD_MODELS) -> Any:
    """An empty model. Raises UserError when a study cannot use one of this name."""
    if name not in among:
        raise UserError(f"--model {name}: this study takes {', '.join(among)}")
    return named_model(name, LearnerSettings(smoothing=smoothing, positive=positive))
