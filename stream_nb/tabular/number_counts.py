"""Counts of numbers on fixed grids, from coarse to fine, so that large numbers with small differences are resolved.

A number's interval on a grid is its sign, its power of two, and its step within that power. The finest grid has 2^24
steps per power of two, the coarser ones 2^18, 2^12 and 2^6. The coarsest grid counts every interval. The finer grids
count intervals modulo 4,096, which bounds their size: if all numbers lie within 64 intervals of one grid, they lie
within 4,096 intervals of the next finer one, and the remainder identifies the interval. So 1,000,000, 1,000,001, ...
are resolved as well as 0, 1, ... All counts are integers, so learning, unlearning and merging are exact in any order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Self

import numpy as np

from stream_nb.tabular.category_counts import CategoryCounts

_BITS = 24
_COARSER = (18, 12, 6, 0)
LEVELS = len(_COARSER)
"""Number of grids."""
SPAN = 64
"""Numbers within fewer intervals than this on one grid are counted on the next finer one, too."""
_INTERVALS = SPAN << 6
_SHIFT = 1100
_MOST_COARSE = 2 * _SHIFT * SPAN


def interval_of(x: float) -> int:
    """The interval of a finite number on the finest grid. Intervals are ordered like the numbers.

    >>> interval_of(0.0), interval_of(1e6) < interval_of(1e6 + 1), interval_of(-1.0) == -interval_of(1.0)
    (0, True, True)
    """
    if x == 0.0:
        return 0
    mantissa, exponent = math.frexp(abs(x))
    step = ((exponent + _SHIFT) << _BITS) + int((2.0 * mantissa - 1.0) * (1 << _BITS))
    return step if x > 0.0 else -step


class Grid(NamedTuple):
    """One of the grids (level 0 is the coarsest), and the lowest and highest interval that its numbers can have, if
    they are known: those of the coarsest grid can have any."""

    level: int
    lowest: int = 0
    highest: int = 0

    def interval(self, interval: int) -> int:
        """Convert an interval of the finest grid to this grid."""
        coarse = abs(interval) >> _COARSER[self.level]
        return coarse if interval >= 0 else -coarse

    def start(self, interval: int) -> float:
        """The smallest number at an interval of this grid."""
        if interval == 0:
            return 0.0
        steps = 1 << (_BITS - _COARSER[self.level])
        exponent, step = divmod(interval if interval > 0 else 1 - interval, steps)
        if exponent - _SHIFT > 1024:
            size = math.inf
        else:
            mantissa, power = 1.0 + step / steps, exponent - _SHIFT - 1
            size = math.ldexp(mantissa, power)
            if math.ldexp(size, -power) < mantissa:  # rounded down, because subnormal numbers have fewer digits
                size = math.nextafter(size, math.inf)
        return size if interval > 0 else math.nextafter(-size, 0.0)


class NumberCounts:
    """Counts of the numbers at each interval of each grid, in 1/256 of a message.

    >>> counts = NumberCounts()
    >>> for x in (1e6, 1e6 + 1, 1e6 + 1):
    ...     counts.add(interval_of(x))
    >>> counts.n, on_finest([counts])[0].level
    (3.0, 3)
    """

    __slots__ = ("levels",)

    def __init__(self) -> None:
        self.levels = tuple(CategoryCounts() for _ in _COARSER)

    @property
    def empty(self) -> bool:
        """Whether no number is counted."""
        return self.levels[0].empty

    @property
    def n(self) -> float:
        """Total count, in messages."""
        return self.levels[0].n

    def on(self, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
        """(intervals, counts) of a grid, int64, for intervals with a count, in any order; counts in 1/256 of a
        message."""
        units = self.levels[grid.level].units
        intervals, counts = (np.fromiter(half, np.int64, len(units)) for half in (units.keys(), units.values()))
        if grid.level:
            intervals = grid.lowest + (intervals - grid.lowest) % _INTERVALS
        return intervals, counts

    def add(self, interval: int) -> None:
        """Count the number at an interval of the finest grid."""
        for counts, value in zip(self.levels, _on_all(interval), strict=True):
            counts.add(value)

    def remove(self, interval: int) -> None:
        """Uncount one number at an interval of the finest grid. Raises ValueError if none is counted there."""
        values = _on_all(interval)
        if any(counts.count(value) < 1.0 for counts, value in zip(self.levels, values, strict=True)):
            raise ValueError(f"no number near {Grid(3).start(interval)!r} has been counted: it cannot be removed")
        for counts, value in zip(self.levels, values, strict=True):
            counts.remove(value)

    def merge(self, other: Self) -> None:
        """Add other counts."""
        for own, theirs in zip(self.levels, other.levels, strict=True):
            own.merge(theirs)

    def unmerge(self, other: Self) -> None:
        """Subtract other counts. Raises ValueError, and changes nothing, if a count would become negative."""
        unmerged: list[tuple[CategoryCounts, CategoryCounts]] = []
        for own, theirs in zip(self.levels, other.levels, strict=True):
            try:
                own.unmerge(theirs)
            except ValueError:
                for counts, removed in unmerged:
                    counts.merge(removed)
                raise
            unmerged.append((own, theirs))

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor` (0 to 1), rounded to 1/256."""
        for counts in self.levels:
            counts.decay(factor)

    def state(self) -> list[list[list[Any]]]:
        """The counts in a fixed order: equal counts give equal states."""
        return [counts.state() for counts in self.levels]

    @classmethod
    def from_state(cls, state: list[list[list[Any]]]) -> Self:
        """The counts with this `state`. Raises ValueError or TypeError if it is invalid."""
        counts = cls()
        if len(state) != len(_COARSER):
            raise ValueError(f"counts of numbers on {len(state)} grids, not {len(_COARSER)}")
        counts.levels = tuple(CategoryCounts.from_state(part) for part in state)
        for level, values in enumerate(counts.levels):
            low, high = (0, _INTERVALS - 1) if level else (-_MOST_COARSE, _MOST_COARSE)
            if not all(type(interval) is int and low <= interval <= high for interval in values.units):
                raise ValueError(f"counts of numbers on grid {level} with an interval outside {low} to {high}")
        if counts.empty:
            raise ValueError("counts of numbers are empty")
        return counts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberCounts) and self.levels == other.levels


def on_finest(counts: list[NumberCounts]) -> tuple[Grid, np.ndarray, np.ndarray]:
    """Return (grid, intervals, units): the finest grid that can represent the numbers of all `counts`, its intervals
    that have a count, ascending, and the counts there in 1/256 of a message, int64[counts, intervals]. There must be at
    least one number."""
    grid = Grid(0)
    by_counts = [each.on(grid) for each in counts]
    while True:
        every_interval = np.concatenate([intervals for intervals, _ in by_counts])
        low, high = int(every_interval.min()), int(every_interval.max())
        # A decay may round the counts of a finer grid to 0 but not the larger counts of a coarser one.
        finer = [each.levels[grid.level + 1] for each in counts] if grid.level + 1 < len(_COARSER) else []
        if high - low >= SPAN or not finer or any(values.empty for values in finer):
            break
        lowest, highest = low << 6 if low >= 0 else (low << 6) - 63, high << 6 if high <= 0 else (high << 6) + 63
        grid = Grid(grid.level + 1, lowest, highest)
        by_counts = [each.on(grid) for each in counts]
    if high - low < 2 * _INTERVALS:  # a bitmap, because it is faster than sorting in so small a range
        marks = np.zeros(high - low + 1, bool)
        marks[every_interval - low] = True
        ascending = np.flatnonzero(marks) + low
        numbers = np.cumsum(marks) - 1
        columns = [numbers[intervals - low] for intervals, _ in by_counts]
    else:
        ascending = np.unique(every_interval)
        columns = [np.searchsorted(ascending, intervals) for intervals, _ in by_counts]
    units = np.zeros((len(counts), len(ascending)), np.int64)
    for row, column, (_, own) in zip(units, columns, by_counts, strict=True):
        row[column] = own
    return grid, ascending, units


def _on_all(interval: int) -> list[int]:
    """An interval of the finest grid as each grid counts it, the coarsest first."""
    size = abs(interval)
    coarse, *finer = [size >> shift for shift in _COARSER]
    if interval < 0:
        return [-coarse, *(-each % _INTERVALS for each in finer)]
    return [coarse, *(each % _INTERVALS for each in finer)]
