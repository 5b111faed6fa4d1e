"""Choose a threshold on the log-odds from a ROC curve of validation mail, never of the mail to be classified.

Each function takes the points of `Ranking.roc()` and returns the one to use: a mail is positive if its score is at or
above `threshold`. On a tie the point with the highest threshold, and so the fewest positives, is returned. Source:
Fawcett, An introduction to ROC analysis (2006).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from stream_nb.metrics.roc import RocPoint


def least_cost(
    points: Sequence[RocPoint], false_positive_cost: float = 1.0, false_negative_cost: float = 1.0
) -> RocPoint:
    """Return the point with the least total cost. Raises ValueError for a negative, infinite or nan cost, or an empty
    curve.

    Args:
        points: The result of `Ranking.roc`.
        false_positive_cost: Cost of a negative mail classified as positive, 0 or more.
        false_negative_cost: Cost of a positive mail classified as negative, 0 or more.

    >>> from stream_nb.metrics import Ranking
    >>> ranking = Ranking()
    >>> for score, is_spam in [(1, False), (2, True), (3, False), (4, True), (5, True)]:
    ...     ranking.add(score, is_spam)
    >>> least_cost(ranking.roc(), false_positive_cost=10).threshold
    4.0
    >>> least_cost(ranking.roc(), false_negative_cost=10).threshold
    2.0
    """
    if not 0 <= false_positive_cost < math.inf or not 0 <= false_negative_cost < math.inf:
        costs = f"{false_positive_cost} and {false_negative_cost}"
        raise ValueError(f"costs are {costs}: give numbers of 0 or more; `losing_at_most` limits what may be lost")
    _not_empty(points)
    positives = points[-1].true_positives
    return min(
        points,
        key=lambda p: false_positive_cost * p.false_positives + false_negative_cost * (positives - p.true_positives),
    )


def best_accuracy(points: Sequence[RocPoint]) -> RocPoint:
    """Return the point with the fewest errors. Raises ValueError for an empty curve.

    Args:
        points: The result of `Ranking.roc`.
    """
    return least_cost(points)


def losing_at_most(points: Sequence[RocPoint], max_fpr: float) -> RocPoint:
    """Return the point with the most true positives among those with a false positive rate of at most `max_fpr`.

    Raises ValueError if `max_fpr` is outside 0 to 1 or the curve is empty.

    Args:
        points: The result of `Ranking.roc`.
        max_fpr: Maximum share of negative mails classified as positive, 0 to 1.

    >>> from stream_nb.metrics import Ranking
    >>> ranking = Ranking()
    >>> for score, is_spam in [(1, False), (2, True), (3, False), (4, True), (5, True)]:
    ...     ranking.add(score, is_spam)
    >>> losing_at_most(ranking.roc(), 0.0).threshold
    4.0
    """
    if not 0.0 <= max_fpr <= 1.0:
        raise ValueError(f"max_fpr is {max_fpr}: give a share from 0 to 1")
    _not_empty(points)
    allowed = [p for p in points if p.fpr <= max_fpr]
    return max(allowed, key=lambda p: p.true_positives)


def _not_empty(points: Sequence[RocPoint]) -> None:
    if not points:
        raise ValueError("the curve has no points: pass Ranking.roc()")
