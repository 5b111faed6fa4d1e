"""Confidence intervals for a proportion."""

from __future__ import annotations

import math
from statistics import NormalDist

_HALVINGS = 50
_NEGLIGIBLE = 1e-18


def wilson(k: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval for a proportion, given `k` successes in `n` trials.

    Its ends solve |k/n - p| = z sqrt(p (1 - p) / n) for p, with z the normal quantile of `confidence`. Unlike the
    textbook k/n +- z sqrt(...), it stays within [0, 1] and is not empty for 0 or n successes. Without trials it is
    (0, 1). Raises ValueError unless 0 <= k <= n and 0 < confidence < 1.

    Args:
        k: Number of successes, 0 to `n`.
        n: Number of trials, 0 or more.
        confidence: Probability that the interval contains the true proportion, between 0 and 1.

    Source: E. B. Wilson, J. Amer. Statist. Assoc. 22 (1927), 209.

    >>> wilson(49, 50)
    (0.895, 0.996)
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    _check(k, n, confidence)
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, zz = k / n, z * z / n
    middle = share + zz / 2
    half = math.sqrt(zz * share * (1.0 - share) + zz * zz / 4)
    low = 0.0 if k == 0 else (middle - half) / (1.0 + zz)
    high = 1.0 if k == n else (middle + half) / (1.0 + zz)
    return low, high


def share_at_most(k: int, n: int, confidence: float = 0.95) -> float:
    """Return an upper confidence bound for a proportion, given `k` successes in `n` trials.

    This is the Clopper-Pearson bound: the p for which k or fewer successes have probability 1 - confidence. It holds
    for every n but is conservative. It is 1 without trials, or if all trials are successes. Raises ValueError unless
    0 <= k <= n and 0 < confidence < 1.

    Args:
        k: Number of successes, 0 to `n`.
        n: Number of trials, 0 or more.
        confidence: Probability that the true proportion does not exceed the bound, between 0 and 1.

    Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), 404.

    >>> round(share_at_most(0, 3000), 4), round(share_at_most(7, 4500), 4)
    (0.001, 0.0029)
    """
    _check(k, n, confidence)
    if k == n:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at_most(k, n, middle) > 1.0 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(k: int, n: int, p: float) -> float:
    """The probability of at most k successes in n trials with success probability p: a sum of terms that decrease from
    k on, so that about sqrt(n) of them count."""
    if p * n < k:
        return 1.0 - _at_most(n - k - 1, n, 1.0 - p)
    choices = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    total = term = math.exp(choices + k * math.log(p) + (n - k) * math.log1p(-p))
    for i in range(k, 0, -1):
        term *= i * (1.0 - p) / ((n - i + 1) * p)
        total += term
        if term < _NEGLIGIBLE * total:
            break
    return total


def _check(k: int, n: int, confidence: float) -> None:
    if not 0 <= k <= n:
        raise ValueError(f"k is {k} of n = {n}: give 0 <= k <= n")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence is {confidence}: give a share between 0 and 1, such as 0.95")
