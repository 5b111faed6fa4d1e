"""Sums over named numbers by class: exact moments, and a histogram of the values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import UNIT, Slot
from stream_nb.kernels.tabular.number_layout import MOMENTS, Cell, Moment, NumberSum, Span
from stream_nb.tabular.arrays import BoundArray, grown, with_columns
from stream_nb.tabular.moments import Moments

NUMBER_ROWS = 32
"""The fixed memory of a number, expressed in rows; it is added to the rows of its intervals."""

_LEAST = 4


class NumberSummary(NamedTuple):
    """A number's values in one class: how many, in messages, their mean and 1/N standard deviation."""

    n: float
    mean: float
    std: float


class NumberTable:
    """Each number's moments and counts of intervals with one column per class, in 1/256 of a message, and the sums that
    determine its weight.

    `slots` maps names to rows of `moments` (int64[:, columns, MOMENTS]), `spans` (`Span`), `sums` (`NumberSum`) and
    `normals` (mean and standard deviation, the latter negative if they are stale). A number's intervals are the rows of
    `cells` (`Cell`) in its span, in ascending order; the rows outside of all spans are zero.
    """

    spans = BoundArray(Slot.SPANS)
    sums = BoundArray(Slot.NUMBER_SUMS)
    cells = BoundArray(Slot.CELLS)

    def __init__(self, columns: int = 0) -> None:
        self.slots: dict[str, int] = {}
        self.workspace = kernels.Workspace()
        self.moments = np.zeros((_LEAST, columns, MOMENTS), np.int64)
        self.normals = np.full((_LEAST, columns, 2), -1.0)
        self.spans = np.zeros((_LEAST, len(Span)), np.int64)
        self.sums = np.zeros((_LEAST, len(NumberSum)), np.int64)
        self.cells = np.zeros((0, Cell.COUNTS + columns), np.int64)
        self._end = 0
        """End of the last span."""

    @property
    def moments(self) -> np.ndarray:
        """The moments of each number in each class, int64[:, columns, MOMENTS]."""
        return self._moments

    @moments.setter
    def moments(self, moments: np.ndarray) -> None:
        self._moments = moments
        self.workspace.bind(Slot.MOMENT_ROWS, moments.reshape(-1, MOMENTS))

    @property
    def normals(self) -> np.ndarray:
        """The mean and standard deviation of each number in each class, float64[:, columns, 2]."""
        return self._normals

    @normals.setter
    def normals(self, normals: np.ndarray) -> None:
        self._normals = normals
        self.workspace.bind(Slot.NORMALS, normals.reshape(-1, 2))

    @property
    def columns(self) -> int:
        """Number of classes."""
        return self.moments.shape[1]

    @property
    def empty(self) -> bool:
        """Whether all moments and sums are 0. Numbers may have rows nevertheless."""
        return not (_any(self.moments) or self.sums.any())

    @property
    def live(self) -> int:
        """Number of rows in use: intervals, plus `NUMBER_ROWS` for each number."""
        if not self.slots:  # the usual case, in which each label of a model with `max_features` asks
            return 0
        return int(self.spans[:, Span.USED].sum()) + NUMBER_ROWS * len(self.slots)

    @property
    def known(self) -> int:
        """Number of numbers with a count."""
        return int(self.moments[:, :, Moment.COUNT].any(axis=1).sum())

    def holds(self, column: int) -> bool:
        """Whether a class has counts."""
        return _any(self.moments[:, column]) or bool(self.cells[:, Cell.COUNTS + column].any())

    def slot(self, name: str) -> int:
        """The slot of a number; a new number gets a slot with counts of 0."""
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = len(self.slots)
            if slot == len(self.spans):
                self.moments, self.normals = grown(self.moments), grown(self.normals)
                self.spans, self.sums = grown(self.spans), grown(self.sums)
            self.normals[slot] = -1.0
        return slot

    def make_room(self, slot: int, least: int = 0) -> None:
        """Double the room for the intervals of a number, adding room for at least `least` intervals.

        Its intervals move to the end of all, so that the cost of a new number does not grow with the others.
        """
        room = int(self.spans[slot, Span.SPACE])
        room += max(room, 2 * _LEAST, least)
        if self._end + room > len(self.cells):
            self._compact(room)
        start, used, _ = self.spans[slot].tolist()
        self.cells[self._end : self._end + used] = self.cells[start : start + used]
        self.cells[start : start + used] = 0
        self.spans[slot] = self._end, used, room
        self._end += room

    def _compact(self, more: int) -> None:
        """Move all intervals into an array twice as large as they and `more` rows are, without gaps between spans."""
        room = self.spans[:, Span.SPACE]
        starts, self._end = np.cumsum(room) - room, int(room.sum())
        rows = np.arange(self._end) + np.repeat(self.spans[:, Span.START] - starts, room)
        cells = np.zeros((2 * (self._end + more), self.cells.shape[1]), np.int64)
        cells[: self._end] = self.cells[rows]
        self.cells = cells
        self.spans[:, Span.START] = starts

    def hold_columns(self, columns: list[int]) -> None:
        """Rearrange the classes: the new column c is the old columns[c], or zeros if that is -1."""
        self.moments, self.normals = (with_columns(array, columns) for array in (self.moments, self.normals))
        self.cells = with_columns(self.cells, columns, Cell.COUNTS)
        self._add_up()
        self.normals[:] = -1.0

    def merge(self, other: NumberTable, columns: list[int], sign: int) -> None:
        """Add (sign 1) or subtract (sign -1) another table, whose column c is columns[c] here."""
        to = np.array(columns, np.int64)
        for name in other.slots:
            self.merge_number(name, other, to, sign)

    def merge_number(self, name: str, other: NumberTable, to: np.ndarray, sign: int) -> None:
        """Add (sign 1) or subtract (sign -1) one number of `other`, whose column c is to[c] here."""
        slot, slot2, cells = self.slot(name), other.slots[name], other.cells_of(name)
        self.sums[slot] += sign * other.sums[slot2]
        self.normals[slot] = -1.0
        kernels.merge_moments(other.moments[slot2], to, sign, self.moments[slot])
        i = 0
        while i < len(cells):
            i = kernels.merge_cells(i, cells, to, sign, self.spans[slot], self.cells)
            if i < len(cells):
                self.make_room(slot)

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, 0 to 1, rounded to 1/256 of a message."""
        counts = self.cells[:, Cell.COUNTS :]
        counts[...] = np.rint(counts * factor).astype(np.int64)
        self._add_up()
        self.sums = np.rint(self.sums * factor).astype(np.int64)
        for slot in self.slots.values():
            for row in self.moments[slot]:
                Moments(row).decay(factor)
        self.normals[:] = -1.0

    def _add_up(self) -> None:
        """Fill in the counts of all classes, after those of each class changed."""
        self.cells[:, Cell.HELD] = np.maximum(self.cells[:, Cell.COUNTS :], 0).sum(axis=1)

    def keep(self, names: set[str]) -> None:
        """Remove all numbers except these."""
        fresh, to = NumberTable(self.columns), np.arange(self.columns)
        for name in self.slots:
            if name in names:
                fresh.merge_number(name, self, to, 1)
        self.slots, self.moments, self.normals = fresh.slots, fresh.moments, fresh.normals
        self.spans, self.sums, self.cells = fresh.spans, fresh.sums, fresh.cells
        self._end = int((self.spans[:, Span.START] + self.spans[:, Span.SPACE]).max())

    def insert(self, name: str, cells: np.ndarray, sums: list[int], moments: list[Moments]) -> None:
        """Insert a new number with its intervals (ascending), its sums (`NumberSum`), and its moments in each class."""
        slot = self.slot(name)
        self.make_room(slot, len(cells))
        start = int(self.spans[slot, Span.START])
        self.cells[start : start + len(cells)] = cells
        self.spans[slot, Span.USED] = len(cells)
        self.sums[slot] = sums
        self.moments[slot] = [one.row for one in moments]

    def cells_of(self, name: str) -> np.ndarray:
        """The intervals of a number that have a count, ascending, int64[k, 2 + classes], laid out by `Cell`."""
        start, used, _ = self.spans[self.slots[name]].tolist()
        own = self.cells[start : start + used]
        return own[own[:, Cell.COUNTS :].any(axis=1)]

    def moments_of(self, name: str) -> list[Moments]:
        """The moments of a number in each class."""
        return [Moments(row) for row in self.moments[self.slots[name]]]

    def counts_any(self, name: str) -> bool:
        """Whether a number has a count or a sum other than 0."""
        slot = self.slots[name]
        return _any(self.moments[slot]) or bool(self.sums[slot].any()) or len(self.cells_of(name)) > 0

    def count(self, name: str) -> int:
        """The sum of the absolute counts of a number over all classes, in 1/256 of a message."""
        return int(np.abs(self.moments[self.slots[name], :, Moment.COUNT]).sum())

    def rows(self, name: str) -> int:
        """The number of rows that a number occupies, as in `live`."""
        return NUMBER_ROWS + int(self.spans[self.slots[name], Span.USED])

    def histogram(self, name: str) -> Iterator[tuple[float, float, list[float]]]:
        """Yield (low, high, messages of each class) of each interval of a number that has a count, ascending."""
        for interval, _, *counts in self.cells_of(name).tolist():
            low = kernels.interval_start(interval if interval >= 0 else interval - 1)
            high = kernels.interval_start(interval if interval <= 0 else interval + 1)
            yield low, high, [count / UNIT for count in counts]

    def summary(self, name: str, column: int) -> NumberSummary:
        """Count, mean and standard deviation of a number in a class."""
        moments = Moments(self.moments[self.slots[name], column])
        return NumberSummary(moments.n, moments.mean, moments.std)


def _any(moments: np.ndarray) -> bool:
    """Whether any of these moments has a count or a sum other than 0."""
    return bool(moments[..., Moment.COUNT].any() or moments[..., Moment.SUM :].any())
