"""How far observed values are from a normal distribution: the Kolmogorov-Smirnov statistic.

Source: Massey, The Kolmogorov-Smirnov test for goodness of fit (1951).
"""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb.tabular.normal import Normal


def distance_to_normal(ordered: Sequence[float], normal: Normal) -> float:
    """The largest difference between the share below a point of the values `ordered` (ascending, not empty) and the
    normal share below it, 0 to 1; the standard deviation is above 0 and finite.

    >>> round(distance_to_normal([-1.0, 0.0, 1.0], Normal(0.0, 1.0)), 3)
    0.175
    """
    n = len(ordered)
    below = [normal.share_below(value) for value in ordered]
    return max(max(share - i / n, (i + 1) / n - share) for i, share in enumerate(below))
