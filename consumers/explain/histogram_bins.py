"""The bins of a histogram."""

from __future__ import annotations

import math
from collections.abc import Sequence

_MOST_DECIMALS = 2
_MOST_EXACT = 2.0**50
"""Beyond this number of steps, an edge half-way between two of them has no exact value."""


def bin_edges(values: Sequence[float], low: float, high: float, most: int) -> list[float]:
    """The edges of equally wide bins from `low` to `high`.

    If all values are multiples of 1, 0.1 or 0.01, each bin holds equally many such multiples, and the edges are
    half-way between two of them. Else some bins could hold more of them than others, or none, and the histogram would
    have peaks and gaps that the values do not have.

    Args:
        values: The values, which may also be outside the range.
        low: The lowest value to be in a bin.
        high: The highest, above `low`.
        most: The largest number of bins, and their number unless all values are such multiples, or differ by rounding
            only.

    >>> bin_edges([0.125, 2.0], 0.0, 2.0, 4)
    [0.0, 0.5, 1.0, 1.5, 2.0]
    >>> bin_edges([1.0, 5.0, 4.0], 1.0, 5.0, 3)
    [0.5, 2.5, 4.5, 6.5]
    """
    for decimals in range(_MOST_DECIMALS + 1):
        if all(round(value, decimals) == value for value in values):
            step = 10.0**-decimals
            if max(abs(low), abs(high)) / step > _MOST_EXACT:
                break
            steps = round((high - low) / step) + 1
            width = math.ceil(steps / most)
            return [low + (i * width - 0.5) * step for i in range(math.ceil(steps / width) + 1)]
    edges = [*(low + (high - low) * (i / most) for i in range(most)), high]
    return [*dict.fromkeys(edges)]  # low and high may have few numbers between them
