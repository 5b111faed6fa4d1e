"""Counts of the values of categorical features by class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import Slot
from stream_nb.tabular.arrays import BoundArray, grown, with_columns

_LEAST = 4

Value = tuple[str, str | bool]
"""The name of a category and one of its values."""


class CategoryTable:
    """Counts of categories and their values in 1/256 of a message, int64[rows, classes].

    `names` maps a category to the row of `counts` with the sum over its values; `values` maps each value to its row.
    """

    counts = BoundArray(Slot.CATEGORY_COUNTS)

    def __init__(self, columns: int) -> None:
        self.names: dict[str, int] = {}
        self.values: dict[Value, int] = {}
        self.workspace = kernels.Workspace()
        self.counts = np.zeros((_LEAST, columns), np.int64)

    @property
    def empty(self) -> bool:
        """Whether all counts are 0. Values may have rows nevertheless."""
        return not self.counts.any()

    @property
    def known(self) -> int:
        """Number of categories with a count."""
        return int(self.counts[[*self.names.values()]].any(axis=1).sum())

    def holds(self, column: int) -> bool:
        """Whether a class has counts."""
        return bool(self.counts[:, column].any())

    def slot(self, name: str) -> int:
        """The row of a category; a new category gets a row of zeros."""
        row = self.names.get(name)
        if row is None:
            row = self.names[name] = self._new_row()
        return row

    def row(self, value: Value) -> int:
        """The row of a value; a new value gets a row of zeros."""
        row = self.values.get(value)
        if row is None:
            row = self.values[value] = self._new_row()
        return row

    def hold_columns(self, columns: list[int]) -> None:
        """Rearrange the classes: the new column c is the old columns[c], or zeros if that is -1."""
        self.counts = with_columns(self.counts, columns)

    def merge(self, other: CategoryTable, columns: list[int], sign: int) -> None:
        """Add (sign 1) or subtract (sign -1) another table, whose column c is columns[c] here."""
        rows = [*map(self.slot, other.names), *map(self.row, other.values)]
        theirs = [*other.names.values(), *other.values.values()]
        self.counts[np.ix_(rows, columns)] += sign * other.counts[theirs]

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, 0 to 1, rounded to 1/256 of a message."""
        self.counts[...] = np.rint(self.counts * factor).astype(np.int64)
        self._add_up()

    def _add_up(self) -> None:
        """Fill in the sums of the categories, after the counts of their values changed."""
        self.counts[[*self.names.values()]] = 0
        names, values = [self.names[name] for name, _ in self.values], [*self.values.values()]
        np.add.at(self.counts, np.array(names, np.int64), self.counts[values])

    def keep(self, values: set[Value]) -> None:
        """Remove all values except these, and categories without values."""
        old_counts, old_values = self.counts, self.values
        self.counts = np.zeros_like(old_counts)
        self.names, self.values = {}, {}
        for value, row in old_values.items():
            if value in values:
                self.slot(value[0])
                self.counts[self.row(value)] = old_counts[row]
        self._add_up()

    def insert(self, value: Value, counts: list[int]) -> None:
        """Insert a new value with its counts by class."""
        row = self.row(value)
        self.counts[row] = counts
        row = self.slot(value[0])
        self.counts[row] += counts

    def count(self, value: Value) -> int:
        """The sum of the absolute counts of a value over all classes, in 1/256 of a message."""
        return int(np.abs(self.counts[self.values[value]]).sum())

    def in_order(self) -> Iterator[tuple[Value, np.ndarray]]:
        """Yield each value that has counts, with its counts by class, sorted by name and value."""
        for value, row in sorted(self.values.items(), key=lambda item: (item[0][0], repr(item[0][1]))):
            if self.counts[row].any():
                yield value, self.counts[row]

    def _new_row(self) -> int:
        row = len(self.names) + len(self.values)
        if row == len(self.counts):
            self.counts = grown(self.counts)
        return row
