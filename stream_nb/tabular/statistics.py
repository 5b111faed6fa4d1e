"""What the models over named features learn: messages by class, and one sum for each feature and class."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Generic, Protocol, Self, TypeVar

from stream_nb.features.class_counts import check_factor
from stream_nb.kernels.layout import UNIT
from stream_nb.tabular.moments import round_product
from stream_nb.types import Label


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
    """Messages by class (`units`, in 1/256, classes in a fixed order), and the sum of each feature and class
    (`features`). To be read by anyone; the model that owns it changes it."""

    def __init__(self, kind: type[S]) -> None:
        self.kind = kind
        self.units: dict[Label, int] = {}
        self.features: dict[Hashable, dict[Label, S]] = {}

    @property
    def messages(self) -> dict[Label, float]:
        """Messages of each class."""
        return {label: units / UNIT for label, units in self.units.items()}

    def get(self, feature: Hashable, label: Label) -> S | None:
        """The sum of a feature in a class (not a copy: do not change it); None when there is none.

        Args:
            feature: Its name.
            label: A class.
        """
        return self.features.get(feature, {}).get(label)

    def add(self, values: Iterable[tuple[Hashable, Any]], label: Label) -> None:
        """Add one message of a class, by the values of its features."""
        self._add_units({label: UNIT})
        for feature, value in values:
            self._sum(feature, label).add(value)

    def remove(self, values: Iterable[tuple[Hashable, Any]], label: Label) -> None:
        """Take one message out again, exactly.

        Raises:
            ValueError: The class or one of the features has nothing to take back; nothing has changed then.
        """
        if self.units.get(label, 0) < UNIT:
            raise ValueError(f"class {label!r} has no message to unlearn; the classes are {list(self.units)}")
        parts = ((feature, label, value) for feature, value in values)
        self._take_out(parts, self.kind.remove, self.kind.add)
        self.units[label] -= UNIT
        self._forget_empty()

    def merge(self, other: FeatureStatistics[S]) -> None:
        """Add the messages of other statistics of the same kind."""
        self._add_units(other.units)
        for feature, by_class in other.features.items():
            for label, held in by_class.items():
                self._sum(feature, label).merge(held)

    def unmerge(self, other: FeatureStatistics[S]) -> None:
        """Take out messages that were added, as other statistics of the same kind.

        Raises:
            ValueError: A class or a feature has not so much to take back; nothing has changed then.
        """
        for label, units in other.units.items():
            if self.units.get(label, 0) < units:
                raise ValueError(f"class {label!r} has not {units / UNIT} messages to take back")
        parts = ((feature, *part) for feature, by_class in other.features.items() for part in by_class.items())
        self._take_out(parts, self.kind.unmerge, self.kind.merge)
        for label, units in other.units.items():
            self.units[label] -= units
        self._forget_empty()

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, 0 to 1, rounded to 1/256. Raises ValueError outside."""
        check_factor(factor)
        self.units = {label: round_product(units, factor) for label, units in self.units.items()}
        for by_class in self.features.values():
            for held in by_class.values():
                held.decay(factor)
        self._forget_empty()

    def state(self) -> dict[str, Any]:
        """What `from_state` takes, in a fixed order; equal statistics give equal ones.

        Raises:
            TypeError: A feature's name is none that JSON gives back as it is.
        """
        for feature in self.features:
            if not isinstance(feature, str | int | float | None):
                raise TypeError(f"feature {feature!r:.60} cannot be written down: name it by a text or a number")
        features = [
            [feature, label, held.state()]
            for feature, by_class in sorted(self.features.items(), key=_by_name)
            for label, held in sorted(by_class.items(), key=_by_name)
        ]
        return {"classes": list(self.units.items()), "features": features}

    @classmethod
    def from_state(cls, kind: type[S], state: Mapping[str, Any]) -> FeatureStatistics[S]:
        """The statistics with this `state`. Raises KeyError, TypeError or ValueError for what is none."""
        statistics = cls(kind)
        statistics.units = {label: units for label, units in state["classes"]}
        for feature, label, held in state["features"]:
            statistics.features.setdefault(feature, {})[label] = kind.from_state(held)
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
    ) -> None:
        """Take each part out of the sum of its feature and class, or put all back. Raises ValueError."""
        done: list[tuple[S, Any]] = []
        for feature, label, part in parts:
            try:
                held = self.get(feature, label)
                if held is None:
                    raise ValueError("nothing is held")
                take_out(held, part)
                done.append((held, part))
            except ValueError as error:
                for held, part in done:
                    put_back(held, part)
                raise ValueError(f"feature {feature!r} of class {label!r} was not learned so: {error}") from error

    def _add_units(self, more: Mapping[Label, int]) -> None:
        for label, units in more.items():
            self.units[label] = self.units.get(label, 0) + units
        self.units = dict(sorted(self.units.items(), key=_by_name))

    def _forget_empty(self) -> None:
        self.units = {label: units for label, units in self.units.items() if units}
        for feature in list(self.features):
            kept = {label: held for label, held in self.features[feature].items() if not held.empty}
            if kept:
                self.features[feature] = kept
            else:
                del self.features[feature]


def _by_name(pair: tuple[Any, Any]) -> tuple[str, str]:
    return type(pair[0]).__name__, str(pair[0])
