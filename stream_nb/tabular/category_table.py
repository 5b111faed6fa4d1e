"""Counts of the values of named categories by class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import Place
from stream_nb.tabular.arrays import grown, with_columns

_LEAST = 4

Value = tuple[str, str | bool]
"""The name of a category, and one of its values."""


class CategoryTable:
    """Counts by the number of a class (a column), in 1/256 of a message, int64[:, columns].

    `names` maps a category to the row of `counts` with the sum of its values, `values` each of its values to a row.
    """

    def __init__(self, columns: int = 0) -> None:
        self.names: dict[str, int] = {}
        self.values: dict[Value, int] = {}
        self.workspace = kernels.Workspace()
        self.counts = np.zeros((_LEAST, columns), np.int64)

    @property
    def counts(self) -> np.ndarray:
        """Messages by category or value and class, in 1/256."""
        return self.workspace[Place.CATEGORY_COUNTS]

    @counts.setter
    def counts(self, counts: np.ndarray) -> None:
        self.workspace.bind(Place.CATEGORY_COUNTS, counts)

    @property
    def empty(self) -> bool:
        """Nothing has been counted; values met may have rows all the same."""
        return not self.counts.any()

    @property
    def known(self) -> int:
        """Of how many categories something has been counted."""
        return int(self.counts[[*self.names.values()]].any(axis=1).sum())

    def holds(self, column: int) -> bool:
        """Whether anything is counted of a class."""
        return bool(self.counts[:, column].any())

    def slot(self, name: str) -> int:
        """The row of a category; a new one joins with nothing counted."""
        row = self.names.get(name)
        if row is None:
            row = self.names[name] = self._new_row()
        return row

    def row(self, value: Value) -> int:
        """The row of a value; a new one joins with nothing counted."""
        row = self.values.get(value)
        if row is None:
            row = self.values[value] = self._new_row()
        return row

    def hold_columns(self, columns: list[int]) -> None:
        """Let column c be what was columns[c]; -1 is a new one."""
        self.counts = with_columns(self.counts, columns)

    def merge(self, other: CategoryTable, columns: list[int], sign: int) -> None:
        """Add (sign 1) or take back (-1) other categories; their class c is our columns[c]."""
        for name, row2 in other.names.items():
            row = self.slot(name)
            self.counts[row, columns] += sign * other.counts[row2]
        for value, row2 in other.values.items():
            row = self.row(value)
            self.counts[row, columns] += sign * other.counts[row2]

    def decay(self, factor: float) -> None:
        """Multiply everything by `factor`, 0 to 1, in whole units."""
        self.counts[...] = np.rint(self.counts * factor).astype(np.int64)
        for name, row in self.names.items():
            rows = [value for (owner, _), value in self.values.items() if owner == name]
            self.counts[row] = self.counts[rows].sum(axis=0)

    def keep(self, values: set[Value]) -> None:
        """Forget all values but these, and the categories that have none left; what is left keeps its sums."""
        names = {name for name, _ in values}
        before = self.counts
        self.counts = np.zeros_like(before)
        old_names, old_values = self.names, self.values
        self.names, self.values = {}, {}
        for name, row in old_names.items():
            if name in names:
                self.counts[self.slot(name)] = before[row]
        for value, row in old_values.items():
            if value in values:
                self.counts[self.row(value)] = before[row]

    def insert(self, value: Value, counts: list[int]) -> None:
        """Have a new value, with its counts by class."""
        row = self.row(value)
        self.counts[row] = counts
        row = self.slot(value[0])
        self.counts[row] += counts

    def count(self, value: Value) -> int:
        """How often a value is counted, in 1/256 of a message, of either sign."""
        return int(np.abs(self.counts[self.values[value]]).sum())

    def in_order(self) -> Iterator[tuple[Value, np.ndarray]]:
        """The values of which something is counted with their counts, in an order that does not depend on which came
        first."""
        for value, row in sorted(self.values.items(), key=lambda one: (one[0][0], repr(one[0][1]))):
            if self.counts[row].any():
                yield value, self.counts[row]

    def _new_row(self) -> int:
        row = len(self.names) + len(self.values)
        if row == len(self.counts):
            self.counts = grown(self.counts)
        return row
