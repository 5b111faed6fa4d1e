"""How often each value of a category occurs."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Self

from stream_nb.kernels.layout import UNIT
from stream_nb.tabular.moments import round_product


class CategoryCounts:
    """Counts of values in 1/256 of a message; a value whose count returns to zero is gone.

    >>> tally = CategoryCounts()
    >>> for value in ("red", "blue", "red"):
    ...     tally.add(value)
    >>> tally.n, tally.count("red"), tally.count("green")
    (3.0, 2.0, 0.0)
    """

    __slots__ = ("_total", "units")

    def __init__(self, units: dict[Hashable, int] | None = None) -> None:
        self.units: dict[Any, int] = units or {}
        self._total = sum(self.units.values())

    @property
    def empty(self) -> bool:
        """No value is held."""
        return not self.units

    @property
    def n(self) -> float:
        """Number of values held, in messages."""
        return self._total / UNIT

    def count(self, value: Hashable) -> float:
        """Number of times `value` is held, in messages."""
        return self.units.get(value, 0) / UNIT

    def add(self, value: Hashable) -> None:
        """Count one value."""
        self.units[value] = self.units.get(value, 0) + UNIT
        self._total += UNIT

    def remove(self, value: Hashable) -> None:
        """Take back one value. Raises ValueError when it is not held."""
        if self.units.get(value, 0) < UNIT:
            raise ValueError(f"value {value!r} is not held: it cannot be removed")
        self.units[value] -= UNIT
        self._total -= UNIT
        if not self.units[value]:
            del self.units[value]

    def merge(self, other: Self) -> None:
        """Count all that another holds."""
        for value, units in other.units.items():
            self.units[value] = self.units.get(value, 0) + units
            self._total += units

    def unmerge(self, other: Self) -> None:
        """Take back all that another holds. Raises ValueError, and changes nothing, when not all of it is held."""
        for value, units in other.units.items():
            if self.units.get(value, 0) < units:
                raise ValueError(f"value {value!r} is held {self.count(value)} times: it cannot be removed more often")
        for value, units in tuple(other.units.items()):  # the other one may be this one
            self.units[value] -= units
            self._total -= units
            if not self.units[value]:
                del self.units[value]

    def decay(self, factor: float) -> None:
        """Multiply every count by `factor` (0 to 1), rounded to 1/256; counts that round to 0 are gone."""
        kept = {value: round_product(units, factor) for value, units in self.units.items()}
        self.units = {value: units for value, units in kept.items() if units}
        self._total = sum(self.units.values())

    def state(self) -> list[list[Any]]:
        """[value, count] pairs in a fixed order."""
        pairs = sorted(self.units.items(), key=lambda pair: (type(pair[0]).__name__, repr(pair[0])))
        return [[value, units] for value, units in pairs]

    @classmethod
    def from_state(cls, state: list[list[Any]]) -> Self:
        """The tally with this `state`. Raises ValueError for what is none."""
        counts: dict[Hashable, int] = {}
        for value, units in state:
            if type(units) is not int or units <= 0 or value in counts:
                raise ValueError(f"count of {value!r} is {units!r}: it is an integer above 0, given once")
            counts[value] = units
        return cls(counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CategoryCounts) and self.units == other.units
