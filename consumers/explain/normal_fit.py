"""How far observed values are from a normal distribution: the Kolmogorov-Smirnov statistic.

Source: Massey, The Kolmogorov-Smirnov test for goodness of fit (1951).
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def normal_share_below(value: float, mean: float, std: float) -> float:
    """The share of a normal distribution that is below a value, 0 to 1.

    Args:
        value: The value.
        mean: The mean of the distribution.
        std: Its standard deviation, above 0 and finite.

    >>> normal_share_below(2.0, 2.0, 3.0)
    0.5
    """
    return 0.5 * math.erfc((mean - value) / std / math.sqrt(2.0))


def distance_to_normal(ordered: Sequence[float], mean: float, std: float) -> float:
    """The largest difference between the share of values below a point and the normal share below it, 0 to 1.

    Args:
        ordered: The values, ascending; not empty.
        mean: The mean of the normal distribution.
        std: Its standard deviation, above 0 and finite.

    >>> round(distance_to_normal([-1.0, 0.0, 1.0], 0.0, 1.0), 3)
    0.175
    """
    n = len(ordered)
    below = [normal_share_below(value, mean, std) for value in ordered]
    return max(max(share - i / n, (i + 1) / n - share) for i, share in enumerate(below))
