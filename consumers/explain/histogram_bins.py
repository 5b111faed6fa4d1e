"""The bins of a histogram."""

from __future__ import annotations

import math
from collections.abc import Iterable

_MOST_EXACT = 2.0**50
"""Beyond this, an edge half-way between two whole numbers has no exact value."""


def bin_edges(values: Iterable[float], low: float, high: float, most: int) -> list[float]:
    """The edges of equally wide bins from `low` to `high`.

    If all values are whole numbers, each bin holds equally many whole numbers, and the edges are half-way between two
    of them. Else some bins could hold more whole numbers than others, or none, and the histogram would have peaks and
    gaps that the values do not have.

    Args:
        values: The values, which may also be outside the range.
        low: The lowest value to be in a bin.
        high: The highest, above `low`.
        most: The largest number of bins, and their number unless all values are whole.

    >>> bin_edges([0.5, 2.0], 0.0, 2.0, 4)
    [0.0, 0.5, 1.0, 1.5, 2.0]
    >>> bin_edges([1.0, 5.0, 4.0], 1.0, 5.0, 3)
    [0.5, 2.5, 4.5, 6.5]
    """
    if max(abs(low), abs(high)) < _MOST_EXACT and all(value % 1.0 == 0.0 for value in values):
        width = math.ceil((high - low + 1.0) / most)
        return [low - 0.5 + i * width for i in range(math.ceil((high - low + 1.0) / width) + 1)]
    return [*(low + (high - low) * (i / most) for i in range(most)), high]
