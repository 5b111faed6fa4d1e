"""Numbers that choose how a model reads its statistics: checked whenever they are set, on a trained model too."""

from __future__ import annotations

from typing import Any


class Parameter:
    """A number from `least` to `most`; setting it outside raises ValueError, naming it.

    The model's `_settings` becomes None, for it to be gathered again.
    """

    def __init__(self, least: float, most: float) -> None:
        self._range = (least, most)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, model: Any, owner: type | None = None) -> Any:
        return self if model is None else model.__dict__[self._name]

    def __set__(self, model: Any, value: float) -> None:
        least, most = self._range
        if not least <= value <= most:
            raise ValueError(f"{self._name} is {value!r}: give a number from {least:g} to {most:g}")
        model.__dict__[self._name] = value
        model.__dict__["_settings"] = None
