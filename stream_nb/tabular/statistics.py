"""The state of models over named features: messages of each class, and one sum per feature and class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Any, Generic, Protocol, Self, TypeVar, cast

import numpy as np

from stream_nb.features.class_counts import check_factor, too_many
from stream_nb.kernels.layout import MOST_UNITS, UNIT
from stream_nb.tabular.moments import round_product
from stream_nb.types import ClassName, Label


class FeatureSum(Protocol):
    """Sums over the values of one feature in one class."""

    @property
    def empty(self) -> bool: ...
    @property
    def n(self) -> float: ...
    def add(self, value: Any, /) -> None: ...
    def remove(self, value: Any, /) -> None: ...
    def merge(self, other: Self, /) -> None: ...
    def unmerge(self, other: Self, /) -> None: ...
    def decay(self, factor: float, /) -> None: ...
    def state(self) -> Any: ...
    @classmethod
    def from_state(cls, state: Any, /) -> Self: ...


S = TypeVar("S", bound=FeatureSum)


class FeatureStatistics(Generic[S]):
    """Messages of each class (`units`, in 1/256 of a message, in a fixed order of classes), and the sum of each feature
    and class (`features`). Read-only except for the model that owns it. `epoch` increases with every change."""

    def __init__(self, kind: type[S]) -> None:
        self.kind = kind
        self.epoch = 0
        self.units: dict[ClassName, int] = {}
        self.features: dict[Hashable, dict[ClassName, S]] = {}

    @property
    def messages(self) -> dict[ClassName, float]:
        """Messages of each class."""
        return {label: units / UNIT for label, units in self.units.items()}

    def get(self, feature: Hashable, label: Label) -> S | None:
        """The sum of a feature in a class, not a copy: do not change it. None if the class has no values of it."""
        return self.features.get(feature, {}).get(label)

    def add(self, values: Iterable[tuple[Hashable, Any]], label: Label) -> None:
        """Add one message of a class, given as (feature, value) pairs."""
        self.epoch += 1
        self._add_units({label: UNIT})
        for feature, value in values:
            self._sum(feature, label).add(value)

    def remove(self, values: Iterable[tuple[Hashable, Any]], label: Label) -> None:
        """Remove one message: the exact inverse of `add`.

        Raises:
            ValueError: The class has no message, a feature has no such value, or the last message of the class would
                leave values of it; nothing has changed.
        """
        if self.units.get(label, 0) < UNIT:
            raise ValueError(f"class {label!r} has no message to unlearn; the classes are {list(self.units)}")
        self.epoch += 1
        last = (label,) if self.units[label] == UNIT else ()
        parts = [(feature, label, value) for feature, value in values]
        self._take_out(parts, self.kind.remove, self.kind.add, last)
        self.units[label] -= UNIT
        self._forget_empty({feature for feature, _, _ in parts})

    def count(self, values: Iterable[tuple[Hashable, Any]], label: Label, sign: int) -> None:
        """`add` one message (`sign` 1), or `remove` it (-1)."""
        (self.add if sign > 0 else self.remove)(values, label)

    def merge(self, other: FeatureStatistics[S]) -> None:
        """Add the messages of other statistics of the same kind.

        Raises:
            ValueError: A class would have more messages than an integer can count; nothing has changed.
        """
        for label, units in other.units.items():
            if self.units.get(label, 0) + units > MOST_UNITS:
                raise too_many(label)
        self.epoch += 1
        self._add_units(other.units)
        for feature, by_class in other.features.items():
            for label, theirs in by_class.items():
                self._sum(feature, label).merge(theirs)

    def unmerge(self, other: FeatureStatistics[S]) -> None:
        """Subtract the messages of other statistics of the same kind.

        Raises:
            ValueError: A count would become negative, or the last message of a class would leave values of it; nothing
                has changed.
        """
        for label, units in other.units.items():
            if (own := self.units.get(label, 0)) < units:
                raise ValueError(f"class {label!r} has {own / UNIT} messages: {units / UNIT} cannot be removed")
        self.epoch += 1
        parts = [(feature, *part) for feature, by_class in other.features.items() for part in by_class.items()]
        last = [label for label, units in other.units.items() if self.units.get(label) == units]
        self._take_out(parts, self.kind.unmerge, self.kind.merge, last)
        for label, units in other.units.items():
            self.units[label] -= units
        self._forget_empty(list(other.features))  # a copy, because `other` may be `self`

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, rounded to 1/256 of a message. Raises ValueError unless it is 0 to 1."""
        check_factor(factor)
        self.epoch += 1
        self.units = {label: round_product(units, factor) for label, units in self.units.items()}
        for by_class in self.features.values():
            for own in by_class.values():
                own.decay(factor)
        self._forget_empty(list(self.features))

    def state(self) -> dict[str, Any]:
        """The statistics in a form that JSON can store; equal statistics give equal states.

        Raises:
            TypeError: A feature's name cannot be stored as JSON.
        """
        named = {_stored(feature): by_class for feature, by_class in self.features.items()}
        features = [
            [feature, label, own.state()]
            for feature, by_class in sorted(named.items(), key=_by_name)
            for label, own in sorted(by_class.items(), key=_by_name)
        ]
        return {"classes": list(self.units.items()), "features": features}

    @classmethod
    def from_state(cls, kind: type[S], state: Mapping[str, Any]) -> FeatureStatistics[S]:
        """The statistics with this `state`. Raises KeyError, TypeError or ValueError if it is invalid."""
        statistics = cls(kind)
        statistics.units = {label: units for label, units in state["classes"]}
        for label, units in statistics.units.items():
            if type(units) is not int or units <= 0:
                raise ValueError(f"class {label!r:.60} has {units!r:.40} messages, in 1/{UNIT}: not an integer above 0")
        for feature, label, sum_state in state["features"]:
            statistics.features.setdefault(feature, {})[label] = kind.from_state(sum_state)
            if label not in statistics.units:
                raise ValueError(f"feature {feature!r:.60} has values of class {label!r:.60}, which has no messages")
        return statistics

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.units == other.units and self.features == other.features

    def _sum(self, feature: Hashable, label: Label) -> S:
        by_class = self.features.setdefault(feature, {})
        if label not in by_class:
            by_class[label] = self.kind()
        return by_class[label]

    def _take_out(
        self,
        parts: Iterable[tuple[Hashable, Label, Any]],
        take_out: Callable[[S, Any], None],
        put_back: Callable[[S, Any], None],
        last: Collection[Label],
    ) -> None:
        """Apply `take_out` to the sum of each part's feature and class. If one raises ValueError, or leaves values of
        the classes `last`, undo the others with `put_back` and raise ValueError."""
        taken: list[tuple[S, Any]] = []
        for feature, label, part in parts:
            try:
                own = self.get(feature, label)
                if own is None:
                    raise ValueError("the class has no values of it")
                take_out(own, part)
                taken.append((own, part))
            except ValueError as error:
                for own, part in taken:
                    put_back(own, part)
                raise ValueError(
                    f"feature {feature!r} of class {label!r} has not been learned with this value: {error}"
                ) from error
        left = [
            (feature, label)
            for label in last
            for feature, by_class in self.features.items()
            if label in by_class and not by_class[label].empty
        ]
        if left:
            for own, part in taken:
                put_back(own, part)
            raise ValueError(
                f"class {left[0][1]!r} would have no message, but values of {left[0][0]!r:.60}: a message has been "
                "learned with features that are missing here"
            )

    def _add_units(self, more: Mapping[ClassName, int]) -> None:
        known = len(self.units)
        for label, units in more.items():
            self.units[label] = self.units.get(label, 0) + units
        if len(self.units) > known:
            self.units = dict(sorted(self.units.items(), key=_by_name))

    def _forget_empty(self, features: Iterable[Hashable]) -> None:
        """Remove classes without messages, and those of these features' sums that are empty."""
        self.units = {label: units for label, units in self.units.items() if units}
        for feature in features:
            kept = {label: own for label, own in self.features[feature].items() if not own.empty}
            if kept:
                self.features[feature] = kept
            else:
                del self.features[feature]


def _stored(feature: Any) -> Any:
    """The name of a feature as a type that JSON can store: a numpy scalar becomes the equal Python scalar."""
    name: Any = cast("np.generic[Any]", feature).item() if isinstance(feature, np.generic) else feature
    if not isinstance(name, str | int | float | None) or name != name:
        raise TypeError(f"feature {feature!r:.60} cannot be stored: use a string or a number as its name")
    return name


def _by_name(pair: tuple[Any, Any]) -> tuple[str, str]:
    return type(pair[0]).__name__, str(pair[0])
