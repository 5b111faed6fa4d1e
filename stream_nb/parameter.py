"""Options of a model: checked whenever they are set, on a trained model too."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

import numpy as np

from stream_nb.features.class_counts import checked_label
from stream_nb.types import Label

V = TypeVar("V")
_LARGEST = math.nextafter(math.inf, 0.0)


class Parameter(Generic[V]):
    """An option of a model; setting it to a value that `check` refuses raises ValueError.

    `check` takes the option's name and the value, and returns the value to keep. The model's `parameters_set` rises
    with each setting, so that what was worked out from the values before is known to be out of date. There is no
    `__get__`: the value is read from the model's own dictionary, as fast as any attribute.

    >>> class Model:
    ...     smoothing = number(0.0, 1.0)
    >>> model = Model()
    >>> model.smoothing = 0.5
    >>> model.smoothing = float("nan")
    Traceback (most recent call last):
    ValueError: smoothing is nan: give a number from 0 to 1
    """

    def __init__(self, check: Callable[[str, Any], V]) -> None:
        self._check = check
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __set__(self, model: object, value: V) -> None:
        state = model.__dict__
        state[self._name] = self._check(self._name, value)
        state["parameters_set"] = state.get("parameters_set", 0) + 1

    if TYPE_CHECKING:

        @overload
        def __get__(self, model: None, owner: type | None = None) -> Self: ...
        @overload
        def __get__(self, model: object, owner: type | None = None) -> V: ...
        def __get__(self, model: object | None, owner: type | None = None) -> Self | V: ...


def checked_number(name: str, value: Any, least: float, most: float = _LARGEST) -> float:
    """The value of the option `name` as a float; ValueError unless it is a number from `least` to `most`."""
    try:
        kept = math.nan if isinstance(value, str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        kept = math.nan
    if not least <= kept <= most:
        raise ValueError(f"{name} is {value!r:.60}: give a number from {least:g} to {most:g}")
    return kept


def number(least: float, most: float = _LARGEST) -> Parameter[float]:
    """A number from `least` to `most`; kept as a float, so that equal settings are the same bytes."""
    return Parameter(lambda name, value: checked_number(name, value, least, most))


def whole(value: Any) -> int | None:
    """An integer of Python or numpy as Python's; None for anything else, True and False too."""
    try:
        return None if isinstance(value, bool | np.bool) else operator.index(value)
    except TypeError:
        return None


def whole_number(least: int) -> Parameter[int]:
    """An integer from `least` on."""

    def check(name: str, value: Any) -> int:
        kept = whole(value)
        if kept is None or kept < least:
            raise ValueError(f"{name} is {value!r}: give a whole number of {least} or more")
        return kept

    return Parameter(check)


def checked_flag(name: str, value: Any) -> bool:
    """The value of the option `name`; ValueError unless it is True or False."""
    if not any(value is known for known in (True, False)):
        raise ValueError(f"{name} is {value!r:.60}: give True or False")
    return value


def flag() -> Parameter[bool]:
    """True or False."""
    return Parameter(checked_flag)


def choice(*names: str) -> Parameter[str]:
    """One of these names."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"{name} is {value!r:.60}: give one of {', '.join(names)}")
        return value

    return Parameter(check)


def label() -> Parameter[Label]:
    """A label that a class can have."""

    def check(name: str, value: Any) -> Label:
        try:
            return checked_label(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} is {value!r:.80}: give text, a bool or a number") from error

    return Parameter(check)
