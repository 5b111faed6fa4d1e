"""Counts of the values of a categorical feature."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Self

from stream_nb.kernels.layout import UNIT
from stream_nb.tabular.moments import round_product


class CategoryCounts:
    """Counts of values in 1/256 of a message; a value whose count returns to 0 is removed.

    >>> counts = CategoryCounts()
    >>> for value in ("red", "blue", "red"):
    ...     counts.add(value)
    >>> counts.n, counts.count("red"), counts.count("green")
    (3.0, 2.0, 0.0)
    """

    __slots__ = ("_total", "units")

    def __init__(self, units: dict[Hashable, int] | None = None) -> None:
        self.units: dict[Any, int] = units or {}
        self._total = sum(self.units.values())

    @property
    def empty(self) -> bool:
        """Whether no value is counted."""
        return not self.units

    @property
    def n(self) -> float:
        """Total count, in messages."""
        return self._total / UNIT

    def count(self, value: Hashable) -> float:
        """Count of `value`, in messages."""
        return self.units.get(value, 0) / UNIT

    def add(self, value: Hashable) -> None:
        """Count one value."""
        self.units[value] = self.units.get(value, 0) + UNIT
        self._total += UNIT

    def remove(self, value: Hashable) -> None:
        """Uncount one value. Raises ValueError if its count is below 1."""
        if self.units.get(value, 0) < UNIT:
            raise ValueError(f"value {value!r} has not been counted: it cannot be removed")
        self.units[value] -= UNIT
        self._total -= UNIT
        if not self.units[value]:
            del self.units[value]

    def merge(self, other: Self) -> None:
        """Add the counts of `other`."""
        for value, units in other.units.items():
            self.units[value] = self.units.get(value, 0) + units
            self._total += units

    def unmerge(self, other: Self) -> None:
        """Subtract the counts of `other`. Raises ValueError, and changes nothing, if a count would become negative."""
        for value, units in other.units.items():
            if self.units.get(value, 0) < units:
                raise ValueError(f"value {value!r} has the count {self.count(value)}: {units / UNIT} cannot be removed")
        for value, units in tuple(other.units.items()):  # a copy, because `other` may be `self`
            self.units[value] -= units
            self._total -= units
            if not self.units[value]:
                del self.units[value]

    def decay(self, factor: float) -> None:
        """Multiply every count by `factor` (0 to 1), rounded to 1/256; values whose count rounds to 0 are removed."""
        decayed = {value: round_product(units, factor) for value, units in self.units.items()}
        self.units = {value: units for value, units in decayed.items() if units}
        self._total = sum(self.units.values())

    def state(self) -> list[list[Any]]:
        """[value, count] pairs in a fixed order."""
        pairs = sorted(self.units.items(), key=lambda pair: (type(pair[0]).__name__, repr(pair[0])))
        return [[value, units] for value, units in pairs]

    @classmethod
    def from_state(cls, state: list[list[Any]]) -> Self:
        """The counts with this `state`. Raises ValueError if it is invalid."""
        counts: dict[Hashable, int] = {}
        for value, units in state:
            if type(units) is not int or units <= 0 or value in counts:
                raise ValueError(f"count of {value!r} is {units!r}: must be an integer above 0, once per value")
            counts[value] = units
        return cls(counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CategoryCounts) and self.units == other.units
