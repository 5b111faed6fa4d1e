"""What a table of numbers and categories has counted, made small enough for others to start from."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from stream_nb.kernels.layout import UNIT
from stream_nb.kernels.number_layout import Cell
from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.tabular.moments import Moments

_NO_SUMS = [0, 0]
_LARGEST = float(np.finfo(np.float64).max)


def shrunk(table: FeatureTable, most: float) -> FeatureTable:
    """Another table with what each class has counted of each number and category, as if that were fewer messages.

    Means, deviations and shares of places and values stay, as far as floats and counts in 1/256 of a message allow.
    What labels said of the weights of parts and numbers is left out.

    Args:
        table: The table; it stays as it is. What is below 0 in it counts as 0.
        most: How many messages of a class are left of a number or category that had more.
    """
    small = FeatureTable(table.columns)
    for name in sorted(table.numbers.slots):
        cells = table.numbers.cells_of(name)
        counts = _thinned(cells[:, Cell.COUNTS :], most)
        left = np.column_stack((cells[:, Cell.PLACE], counts.sum(axis=1), counts))[counts.any(axis=1)]
        if len(left):
            moments = [_fewer(one, most) for one in table.numbers.moments_of(name)]
            small.numbers.insert(name, left, _NO_SUMS, moments)
    for _, group in groupby(table.categories.in_order(), key=lambda one: one[0][0]):
        values, held = zip(*group, strict=True)
        for value, row in zip(values, _thinned(np.array(held), most), strict=True):
            if row.any():
                small.categories.insert(value, row.tolist())
    return small


def _fewer(moments: Moments, most: float) -> Moments:
    """Moments of so many messages with the same mean and deviation: half of them a deviation below the mean, half
    above. The sums, multiplied, would have a thousand bits each."""
    if moments.n <= most:
        return Moments(np.array(moments.row)) if moments.n > 0 else Moments()
    few, (mean, std) = Moments(), moments.mean_and_std()
    for x in (mean - std, mean + std):
        few.add(min(max(x, -_LARGEST), _LARGEST), round(most * UNIT / 2))
    return few


def _thinned(counts: np.ndarray, most: float) -> np.ndarray:
    """Counts in 1/256, with at most so many messages in each column. The running sums are rounded, so that many small
    counts do not all become 0."""
    sums = np.cumsum(np.maximum(counts, 0), axis=0)
    shares = np.minimum(1.0, most * UNIT / np.maximum(sums[-1:].sum(axis=0), 1))
    return np.diff(np.rint(sums * shares).astype(np.int64), axis=0, prepend=0)
