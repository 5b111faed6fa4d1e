"""Shrink a table of numbers and categories for use in a starter."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from stream_nb.kernels.layout import UNIT
from stream_nb.kernels.tabular.number_layout import Cell
from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.tabular.moments import Moments

_NO_SUMS = [0, 0]
_LARGEST = float(np.finfo(np.float64).max)


def shrunk(table: FeatureTable, most: float) -> FeatureTable:
    """A copy of a table in which each number and category has at most `most` messages per class.

    Means, deviations, and the relative counts of intervals and values are preserved to within rounding. The pool, and
    the sums that determine the weights of numbers, are left out.

    Args:
        table: The table; it is not changed. Negative counts count as 0.
        most: Maximum number of messages of each class per number or category.
    """
    small = FeatureTable(table.columns)
    for name in sorted(table.numbers.slots):
        cells = table.numbers.cells_of(name)
        counts = _thinned(cells[:, Cell.COUNTS :], most)
        left = np.column_stack((cells[:, Cell.INTERVAL], counts.sum(axis=1), counts))[counts.any(axis=1)]
        if len(left):
            moments = [_fewer(own, most) for own in table.numbers.moments_of(name)]
            small.numbers.insert(name, left, _NO_SUMS, moments)
    for _, group in groupby(table.categories.in_order(), key=lambda item: item[0][0]):
        values, counts = zip(*group, strict=True)
        for value, row in zip(values, _thinned(np.array(counts), most), strict=True):
            if row.any():
                small.categories.insert(value, row.tolist())
    return small


def _fewer(moments: Moments, most: float) -> Moments:
    """Moments with at most `most` messages and the same mean and standard deviation: half of the values one deviation
    below the mean, half one above. (Scaling the exact sums instead would give sums of a thousand bits.)"""
    if moments.n <= most:
        return Moments(np.array(moments.row)) if moments.n > 0 else Moments()
    few, (mean, std) = Moments(), moments.mean_and_std()
    for x in (mean - std, mean + std):
        few.add(min(max(x, -_LARGEST), _LARGEST), round(most * UNIT / 2))
    return few


def _thinned(counts: np.ndarray, most: float) -> np.ndarray:
    """Scale counts to at most `most` messages in each column. Cumulative sums are rounded instead of counts, so that
    many small counts do not all become 0."""
    sums = np.cumsum(np.maximum(counts, 0), axis=0)
    shares = np.minimum(1.0, most * UNIT / np.maximum(sums[-1:].sum(axis=0), 1))
    return np.diff(np.rint(sums * shares).astype(np.int64), axis=0, prepend=0)
