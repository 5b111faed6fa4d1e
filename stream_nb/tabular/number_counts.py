"""Counts of numbers on fixed grids, fine enough for numbers that differ little from a large one.

A number's place is its sign, its power of two, and which of 2^24 steps within that power; coarser grids have 2^18,
2^12 and 2^6 steps. Of the coarsest all places are counted. A finer grid counts its places modulo 4,096, so that it
needs no more than that: where the numbers lie within 64 places of one grid, they lie within 4,096 of the next finer
one, and the remainder says which. So 1,000,000, 1,000,001, ... are told apart as well as 0, 1, ..., and everything
stays sums of integers: exact in any order, undone and merged without a trace.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Self

import numpy as np

from stream_nb.tabular.category_counts import CategoryCounts

_BITS = 24
_COARSER = (18, 12, 6, 0)
_SPAN = 64
_PLACES = _SPAN << 6
_SHIFT = 1100
_MOST_COARSE = 2 * _SHIFT * _SPAN


def place_of(x: float) -> int:
    """The place of a finite number on the finest grid, in the numbers' own order.

    >>> place_of(0.0), place_of(1e6) < place_of(1e6 + 1), place_of(-1.0) == -place_of(1.0)
    (0, True, True)
    """
    if x == 0.0:
        return 0
    mantissa, exponent = math.frexp(abs(x))
    step = ((exponent + _SHIFT) << _BITS) + int((2.0 * mantissa - 1.0) * (1 << _BITS))
    return step if x > 0.0 else -step


class Grid(NamedTuple):
    """One of the grids (0 the coarsest), and the lowest place that it may hold."""

    level: int
    lowest: int

    def place(self, place: int) -> int:
        """Where a number with this place on the finest grid lies on this one."""
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
            if math.ldexp(size, -power) < mantissa:  # the smallest numbers have fewer digits: it was rounded down
                size = math.nextafter(size, math.inf)
        return size if place > 0 else math.nextafter(-size, 0.0)


class NumberCounts:
    """How often each place holds a number, on each grid; all counts in 1/256 of a message.

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
        """No number is held."""
        return self.levels[0].empty

    @property
    def n(self) -> float:
        """Number of numbers held, in messages."""
        return self.levels[0].n

    def on(self, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
        """The places of a grid that hold numbers, in any order, and their counts in 1/256, int64."""
        units = self.levels[grid.level].units
        places, counts = (np.fromiter(half, np.int64, len(units)) for half in (units.keys(), units.values()))
        if grid.level:
            places = grid.lowest + (places - grid.lowest) % _PLACES
        return places, counts

    def add(self, place: int) -> None:
        """Count the number at a place of the finest grid."""
        for counts, one in zip(self.levels, _on_all(place), strict=True):
            counts.add(one)

    def remove(self, place: int) -> None:
        """Take back one number. Raises ValueError when none is held there."""
        ones = _on_all(place)
        if any(counts.count(one) < 1.0 for counts, one in zip(self.levels, ones, strict=True)):
            raise ValueError(f"no number near {Grid(3, 0).start(place)!r} is held: it cannot be removed")
        for counts, one in zip(self.levels, ones, strict=True):
            counts.remove(one)

    def merge(self, other: Self) -> None:
        """Count all that another holds."""
        for own, theirs in zip(self.levels, other.levels, strict=True):
            own.merge(theirs)

    def unmerge(self, other: Self) -> None:
        """Take back all that another holds. Raises ValueError, and changes nothing, when not all of it is held."""
        done: list[tuple[CategoryCounts, CategoryCounts]] = []
        for own, theirs in zip(self.levels, other.levels, strict=True):
            try:
                own.unmerge(theirs)
            except ValueError:
                for held, taken in done:
                    held.merge(taken)
                raise
            done.append((own, theirs))

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor` (0 to 1), rounded to 1/256."""
        for counts in self.levels:
            counts.decay(factor)

    def state(self) -> list[list[list[Any]]]:
        """The counts, the same for equal counts whatever the order they came in."""
        return [counts.state() for counts in self.levels]

    @classmethod
    def from_state(cls, state: list[list[list[Any]]]) -> Self:
        """The counts with this `state`. Raises ValueError or TypeError for what is none."""
        counts = cls()
        if len(state) != len(_COARSER):
            raise ValueError(f"counts of numbers on {len(state)} grids, not {len(_COARSER)}")
        counts.levels = tuple(CategoryCounts.from_state(one) for one in state)
        for level, held in enumerate(counts.levels):
            low, high = (0, _PLACES - 1) if level else (-_MOST_COARSE, _MOST_COARSE)
            if not all(type(place) is int and low <= place <= high for place in held.units):
                raise ValueError(f"counts of numbers on grid {level} with a place beyond {low} to {high}")
        if counts.empty:
            raise ValueError("counts of no numbers")
        return counts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberCounts) and self.levels == other.levels


def on_finest(counts: list[NumberCounts]) -> tuple[Grid, np.ndarray, np.ndarray]:
    """The finest grid on which the numbers of all counts lie within reach of each other, its places that hold one,
    rising, and what each of the counts holds there in 1/256, int64[counts, places]. There must be a number."""
    grid = Grid(0, 0)
    held = [one.on(grid) for one in counts]
    while True:
        together = np.concatenate([places for places, _ in held])
        low, high = int(together.min()), int(together.max())
        # A decay may leave counts on a coarser grid only, where they were larger.
        finer = [one.levels[grid.level + 1] for one in counts] if grid.level + 1 < len(_COARSER) else []
        if high - low >= _SPAN or not finer or any(one.empty for one in finer):
            break
        grid = Grid(grid.level + 1, low << 6 if low >= 0 else (low << 6) - 63)
        held = [one.on(grid) for one in counts]
    if high - low < 2 * _PLACES:  # so few need no sorting
        marks = np.zeros(high - low + 1, bool)
        marks[together - low] = True
        rising = np.flatnonzero(marks) + low
        numbers = np.cumsum(marks) - 1
        columns = [numbers[places - low] for places, _ in held]
    else:
        rising = np.unique(together)
        columns = [np.searchsorted(rising, places) for places, _ in held]
    units = np.zeros((len(counts), len(rising)), np.int64)
    for row, column, (_, own) in zip(units, columns, held, strict=True):
        row[column] = own
    return grid, rising, units


def _on_all(place: int) -> list[int]:
    """A place of the finest grid on each, from the coarsest on, as they count it."""
    coarse, *finer = (Grid(level, 0).place(place) for level in range(len(_COARSER)))
    return [coarse, *(one % _PLACES for one in finer)]
