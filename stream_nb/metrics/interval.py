"""How far an observed share may be from the true one."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(k: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval for a share of `k` successes in `n` trials.

    The ends solve |k/n - p| = z sqrt(p (1 - p) / n) for p, z being the normal quantile of `confidence`.
    Unlike the textbook k/n +- z sqrt(...) it stays within 0 and 1 and is not empty at 0 or n successes.
    Without trials it is (0, 1). Raises ValueError unless 0 <= k <= n and 0 < confidence < 1.

    Args:
        k: Successes, 0 to `n`.
        n: Trials, 0 or more.
        confidence: How sure the interval is to hold the true share: between 0 and 1.

    Source: E. B. Wilson, J. Amer. Statist. Assoc. 22 (1927), 209.

    >>> wilson(49, 50)
    (0.895, 0.996)
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if not 0 <= k <= n:
        raise ValueError(f"k is {k} of n = {n}: give 0 <= k <= n")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence is {confidence}: give a share between 0 and 1, such as 0.95")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, zz = k / n, z * z / n
    middle = share + zz / 2
    half = math.sqrt(zz * share * (1.0 - share) + zz * zz / 4)
    low = 0.0 if k == 0 else (middle - half) / (1.0 + zz)
    high = 1.0 if k == n else (middle + half) / (1.0 + zz)
    return low, high
