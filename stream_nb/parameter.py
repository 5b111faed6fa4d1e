"""Options of a model, checked whenever they are set."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast, overload

import numpy as np

from stream_nb.features.class_counts import checked_label
from stream_nb.types import ClassName, Label

V = TypeVar("V")
_LARGEST = math.nextafter(math.inf, 0.0)
MOST_SMOOTHING = 1e300


class Parameter(Generic[V]):
    """A descriptor for an option of a model. Setting an invalid value raises ValueError.

    `check` is called with the option's name and the value, and returns the value to store. Each assignment increments
    the model's `parameters_set`, so that results cached for earlier values can be recognised as stale. There is no
    `__get__`: the value is read from the model's `__dict__`, as fast as any attribute.

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


def checked_number(name: str, value: Any, least: float, most: float) -> float:
    """The value of option `name` as a float. Raises ValueError unless it is a number from `least` to `most`."""
    try:
        result = math.nan if isinstance(value, str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        result = math.nan
    if not least <= result <= most:
        raise ValueError(f"{name} is {value!r:.60}: give a number from {least:g} to {most:g}")
    return result


def number(least: float, most: float = _LARGEST) -> Parameter[float]:
    """A number from `least` to `most`, stored as a float so that equal settings give equal snapshots."""
    return Parameter(lambda name, value: checked_number(name, value, least, most))


def smoothing() -> Parameter[float]:
    """Lambda of a model, bounded so that its product with the number of words remains finite."""
    return number(0.0, MOST_SMOOTHING)


def whole(value: Any) -> int | None:
    """A Python or numpy integer as an int; None for anything else, including True and False."""
    try:
        return None if isinstance(value, bool | np.bool) else operator.index(value)
    except TypeError:
        return None


def checked_whole(name: str, value: Any, least: int) -> int:
    """The value of option `name` as an int. Raises ValueError unless it is an integer of `least` or more."""
    integer = whole(value)
    if integer is None or integer < least:
        raise ValueError(f"{name} is {value!r:.60}: give a whole number of {least} or more")
    return integer


def whole_number(least: int) -> Parameter[int]:
    """An integer of `least` or more."""
    return Parameter(lambda name, value: checked_whole(name, value, least))


def checked_flag(name: str, value: Any) -> bool:
    """The value of option `name`. Raises ValueError unless it is True or False."""
    flag = cast("np.bool[Any]", value).item() if isinstance(value, np.bool) else value
    if not isinstance(flag, bool):
        raise ValueError(f"{name} is {value!r:.60}: give True or False")
    return flag


def flag() -> Parameter[bool]:
    """True or False."""
    return Parameter(checked_flag)


def choice(*names: str) -> Parameter[str]:
    """One of `names`."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"{name} is {value!r:.60}: give one of {', '.join(names)}")
        return value

    return Parameter(check)


def label() -> Parameter[ClassName]:
    """The name of a class."""

    def check(name: str, value: Any) -> Label:
        try:
            return checked_label(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} is {value!r:.80}: give text, a bool or a number") from error

    return Parameter(check)
