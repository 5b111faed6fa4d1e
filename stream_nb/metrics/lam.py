"""Logistic average misclassification: one number for two error rates."""

from __future__ import annotations

import math


def lam_pct(false_positives: int, negatives: int, false_negatives: int, positives: int) -> float | None:
    """Return the logistic average misclassification in percent: both error rates averaged on the logit scale.

    lam = expit((logit(false_positives / negatives) + logit(false_negatives / positives)) / 2). It favours neither class
    and does not depend on class frequencies. It is 0 if either rate is 0, 100 if either rate is 1, and 50 if one is 0
    and the other 1. None while either class has no mail. Raises ValueError if an error count is below 0 or above the
    size of its class.

    Args:
        false_positives: Number of negative mails classified as positive, 0 to `negatives`.
        negatives: Number of negative mails.
        false_negatives: Number of positive mails classified as negative, 0 to `positives`.
        positives: Number of positive mails.

    Source: the TREC 2005 spam track (Cormack and Lynam), measure "lam%".

    >>> lam_pct(1, 100, 4, 100)
    2.01028
    >>> lam_pct(0, 0, 1, 3) is None
    True
    """
    for name, errors, size in (
        ("false_positives", false_positives, negatives),
        ("false_negatives", false_negatives, positives),
    ):
        if not 0 <= errors <= size:
            raise ValueError(f"{name} is {errors} of {size}: give 0 <= errors <= class size")
    if negatives == 0 or positives == 0:
        return None
    wrong = false_positives * false_negatives
    right = (negatives - false_positives) * (positives - false_negatives)
    if wrong == right:  # both are 0 if one class is all wrong and the other all right
        return 50.0
    # expit of the mean logit is sqrt(odds) / (1 + sqrt(odds)), with odds the product of the two odds
    return 100.0 * math.sqrt(wrong) / (math.sqrt(wrong) + math.sqrt(right))
