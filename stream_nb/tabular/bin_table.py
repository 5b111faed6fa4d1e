"""The numbers of one feature as `BinnedNB` reads them: one table of counts by class and interval, kept up to date.

Reading the counts of every class into a table takes most of the time of a prediction, so the table is kept, and each
label changes one cell of it. What depends on all cells, the bins, is computed from the table when it is read.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from stream_nb.kernels.layout import UNIT
from stream_nb.tabular.number_counts import LEVELS, SPAN, Grid, NumberCounts, on_finest
from stream_nb.types import ClassName, Label

_LARGEST = np.iinfo(np.int64).max


class Bins(NamedTuple):
    """The bins of a feature: the grid, the first columns of all bins and the end of the last one, and the intervals at
    which the second and all later bins begin."""

    grid: Grid
    columns: list[int]
    starts: list[int]

    @property
    def number(self) -> int:
        """Number of bins."""
        return len(self.columns) - 1

    def bin_of(self, interval: int) -> int:
        """The index of the bin that contains an interval of the finest grid."""
        return bisect_right(self.starts, self.grid.interval(interval))


class BinTable:
    """Counts of a feature's numbers by class and interval, on the finest grid that can represent all of them.

    Args:
        by_class: The counts of each class that has numbers; they are not changed.
    """

    def __init__(self, by_class: Mapping[Label, NumberCounts]) -> None:
        counts = [*by_class.values()]
        self._grid, self._intervals, self._units = on_finest(counts)
        self._rows: dict[Label, int] = {label: row for row, label in enumerate(by_class)}
        self._totals: list[int] = self._units.sum(axis=1).tolist()
        by_interval = self._units.sum(axis=0)
        self._before = np.cumsum(by_interval) - by_interval
        low, high = int(self._intervals[0]), int(self._intervals[-1])
        # A grid that is coarser than the range of its numbers needs has lost finer counts to a decay.
        self._may_be_finer = self._grid.level + 1 < LEVELS and high - low < SPAN
        self._ends = _coarse(self._grid.lowest), _coarse(self._grid.highest)
        self._read: tuple[int, object] | None = None
        self._logs: dict[int, dict[ClassName, float]] = {}

    @property
    def cells(self) -> int:
        """Number of counts in the table."""
        return self._units.size

    def add(self, label: Label, interval: int, units: int) -> bool:
        """Add `units`, in 1/256 of a message (negative to subtract), to a class's count at an interval of the finest
        grid. Returns False if the table must be made anew, because its grid, classes or intervals may have changed."""
        row, on_grid = self._rows.get(label), self._grid.interval(interval)
        if self._may_be_finer or not self._widen(on_grid):
            return False
        column = int(np.searchsorted(self._intervals, on_grid))
        known = column < len(self._intervals) and int(self._intervals[column]) == on_grid
        if row is None or not known:
            if units < 0:
                return False
            row = self._make_row(label) if row is None else row
            if not known:
                self._make_column(column, on_grid)
        if units < 0 and (self._units[row, column] < -units or not self._at(column) > -units < self._totals[row]):
            return False
        self._units[row, column] += units
        self._before[column + 1 :] += units
        self._totals[row] += units
        self._read = None
        return True

    def bins(self, most: int) -> Bins:
        """At most `most` bins, 2 or more, with about equally many numbers; a bin begins at an interval that has a
        count."""
        if self._read is None or self._read[0] != most:
            total, before = sum(self._totals), self._before
            if total * most > _LARGEST:
                before = before.astype(object)  # Python integers do not overflow
            quantiles = before * most // total
            begins = np.flatnonzero(quantiles[1:] != quantiles[:-1]) + 1
            self._bins = Bins(self._grid, [0, *begins.tolist(), len(before)], self._intervals[begins].tolist())
            self._read, self._logs = (most, None), {}
        return self._bins

    def counts(self, most: int, number: int, classes: Iterable[Label]) -> dict[ClassName, float]:
        """The messages of each class in bin `number` of `bins(most)`."""
        begin, end = self.bins(most).columns[number : number + 2]
        sums = self._units[:, begin:end].sum(axis=1).tolist()
        return {label: sums[self._rows[label]] / UNIT if label in self._rows else 0.0 for label in classes}

    def log_shares(
        self, most: int, number: int, smoothing: float, classes: Iterable[Label], state: object
    ) -> dict[ClassName, float]:
        """log P(bin | y) of bin `number` of `bins(most)` in every class; uniform for a class without numbers and
        smoothing 0. Results are kept while `state` is equal, which must differ whenever `smoothing` or `classes` do."""
        bins = self.bins(most)
        if self._read != (most, state):
            self._read, self._logs = (most, state), {}
        if number not in self._logs:
            totals = {label: self._totals[row] / UNIT for label, row in self._rows.items()}
            added = smoothing * bins.number
            self._logs[number] = {
                label: _log_share(count + smoothing, totals.get(label, 0.0) + added, bins.number)
                for label, count in self.counts(most, number, classes).items()
            }
        return self._logs[number]

    def _at(self, column: int) -> int:
        """The count of a column over all classes."""
        end = self._before[column + 1] if column + 1 < len(self._before) else sum(self._totals)
        return int(end - self._before[column])

    def _widen(self, interval: int) -> bool:
        """Let the table have a number at an interval of its grid. Returns whether the grid can represent it beside the
        others: all are close together on the next coarser grid."""
        if not self._grid.level:
            return True
        low, high = min(self._ends[0], _coarse(interval)), max(self._ends[1], _coarse(interval))
        self._ends = low, high
        return high - low < SPAN

    def _make_row(self, label: Label) -> int:
        self._units = np.concatenate((self._units, np.zeros((1, self._units.shape[1]), np.int64)))
        self._totals.append(0)
        self._rows[label] = len(self._rows)
        return self._rows[label]

    def _make_column(self, column: int, interval: int) -> None:
        before = self._before[column] if column < len(self._before) else sum(self._totals)
        self._intervals = _with(self._intervals, column, interval)
        self._before = _with(self._before, column, before)
        units = np.zeros((self._units.shape[0], self._units.shape[1] + 1), np.int64)
        units[:, :column], units[:, column + 1 :] = self._units[:, :column], self._units[:, column:]
        self._units = units


def _log_share(count: float, total: float, bins: int) -> float:
    if total <= 0.0:
        return -math.log(bins)
    return math.log(count / total) if count > 0.0 else -math.inf


def _with(array: np.ndarray, index: int, value: int) -> np.ndarray:
    return np.concatenate((array[:index], np.array([value], np.int64), array[index:]))


def _coarse(interval: int) -> int:
    """Convert an interval to the next coarser grid."""
    return interval >> 6 if interval >= 0 else -(-interval >> 6)
