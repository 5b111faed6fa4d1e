"""Counts of numbers on fixed grids, from coarse to fine, so that large numbers with small differences are resolved.

A number's place on a grid is its sign, its power of two, and its step within that power. The finest grid has 2^24 steps
per power of two, the coarser ones 2^18, 2^12 and 2^6. The coarsest grid counts every place. The finer grids count
places modulo 4,096, which bounds their size: if all numbers lie within 64 places of one grid, they lie within 4,096
places of the next finer one, and the remainder identifies the place. So 1,000,000, 1,000,001, ... are resolved as well
as 0, 1, ... All counts are integers, so learning, unlearning and merging are exact in any order.
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
"""Numbers within fewer places than this on one grid are counted on the next finer one, too."""
_PLACES = SPAN << 6
_SHIFT = 1100
_MOST_COARSE = 2 * _SHIFT * SPAN


def place_of(x: float) -> int:
    """The place of a finite number on the finest grid. Places are ordered like the numbers.

    >>> place_of(0.0), place_of(1e6) < place_of(1e6 + 1), place_of(-1.0) == -place_of(1.0)
    (0, True, True)
    """
    if x == 0.0:
        return 0
    mantissa, exponent = math.frexp(abs(x))
    step = ((exponent + _SHIFT) << _BITS) + int((2.0 * mantissa - 1.0) * (1 << _BITS))
    return step if x > 0.0 else -step


class Grid(NamedTuple):
    """One of the grids (level 0 is the coarsest), and the lowest and highest place that its numbers can have, if they
    are known: those of the coarsest grid can have any."""

    level: int
    lowest: int = 0
    highest: int = 0

    def place(self, place: int) -> int:
        """Convert a place of the finest grid to this grid."""
        coarse = abs(place) >> _COARSER[self.level]
        return coarse if place >= 0 else -coarse

    def start(self, place: int) -> float:
        """The smallest number at a place of this grid."""
        if place == 0:
            return 0.0
        steps = 1 << (_BITS - _COARSER[self.level])
        exponent, step = divmod(place if place > 0 else 1 - place, steps)
        if exponent - _SHIFT > 1024:
            size = math.inf
        else:
            mantissa, power = 1.0 + step / steps, exponent - _SHIFT - 1
            size = math.ldexp(mantissa, power)
            if math.ldexp(size, -power) < mantissa:  # rounded down, because subnormal numbers have fewer digits
                size = math.nextafter(size, math.inf)
        return size if place > 0 else math.nextafter(-size, 0.0)


class NumberCounts:
    """Counts of the numbers at each place of each grid, in 1/256 of a message.

    >>> counts = NumberCounts()
    >>> for x in (1e6, 1e6 + 1, 1e6 + 1):
    ...     counts.add(place_of(x))
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
        """(places, counts) of a grid, int64, for places with a count, in any order; counts in 1/256 of a message."""
        units = self.levels[grid.level].units
        places, counts = (np.fromiter(half, np.int64, len(units)) for half in (units.keys(), units.values()))
        if grid.level:
            places = grid.lowest + (places - grid.lowest) % _PLACES
        return places, counts

    def add(self, place: int) -> None:
        """Count the number at a place of the finest grid."""
        for counts, value in zip(self.levels, _on_all(place), strict=True):
            counts.add(value)

    def remove(self, place: int) -> None:
        """Uncount one number at a place of the finest grid. Raises ValueError if none is counted there."""
        values = _on_all(place)
        if any(counts.count(value) < 1.0 for counts, value in zip(self.levels, values, strict=True)):
            raise ValueError(f"no number near {Grid(3).start(place)!r} has been counted: it cannot be removed")
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
        for level, tally in enumerate(counts.levels):
            low, high = (0, _PLACES - 1) if level else (-_MOST_COARSE, _MOST_COARSE)
            if not all(type(place) is int and low <= place <= high for place in tally.units):
                raise ValueError(f"counts of numbers on grid {level} with a place outside {low} to {high}")
        if counts.empty:
            raise ValueError("counts of numbers are empty")
        return counts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberCounts) and self.levels == other.levels


def on_finest(counts: list[NumberCounts]) -> tuple[Grid, np.ndarray, np.ndarray]:
    """Return (grid, places, units): the finest grid that can represent the numbers of all `counts`, its places that
    have a count, ascending, and the counts there in 1/256 of a message, int64[counts, places]. There must be at least
    one number."""
    grid = Grid(0)
    by_counts = [each.on(grid) for each in counts]
    while True:
        every_place = np.concatenate([places for places, _ in by_counts])
        low, high = int(every_place.min()), int(every_place.max())
        # A decay may round the counts of a finer grid to 0 but not the larger counts of a coarser one.
        finer = [each.levels[grid.level + 1] for each in counts] if grid.level + 1 < len(_COARSER) else []
        if high - low >= SPAN or not finer or any(tally.empty for tally in finer):
            break
        lowest, highest = low << 6 if low >= 0 else (low << 6) - 63, high << 6 if high <= 0 else (high << 6) + 63
        grid = Grid(grid.level + 1, lowest, highest)
        by_counts = [each.on(grid) for each in counts]
    if high - low < 2 * _PLACES:  # a bitmap, because it is faster than sorting in so small a range
        marks = np.zeros(high - low + 1, bool)
        marks[every_place - low] = True
        ascending = np.flatnonzero(marks) + low
        numbers = np.cumsum(marks) - 1
        columns = [numbers[places - low] for places, _ in by_counts]
    else:
        ascending = np.unique(every_place)
        columns = [np.searchsorted(ascending, places) for places, _ in by_counts]
    units = np.zeros((len(counts), len(ascending)), np.int64)
    for row, column, (_, own) in zip(units, columns, by_counts, strict=True):
        row[column] = own
    return grid, ascending, units


def _on_all(place: int) -> list[int]:
    """A place of the finest grid as each grid counts it, the coarsest first."""
    size = abs(place)
    coarse, *finer = [size >> shift for shift in _COARSER]
    if place < 0:
        return [-coarse, *(-each % _PLACES for each in finer)]
    return [coarse, *(each % _PLACES for each in finer)]
