"""Choosing a cut on the log-odds from a ROC curve of validation mail, never of the mail to be judged.

Each function takes the points of `Ranking.roc()` and returns the point to use: call a mail positive when its
score is at or above `threshold`. Among equally good points the highest threshold wins, the one that calls
least mail spam. Source: Fawcett, An introduction to ROC analysis
(2006).
"""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb.metrics.roc import RocPoint


def least_cost(
    points: Sequence[RocPoint], false_positive_cost: float = 1.0, false_negative_cost: float = 1.0
) -> RocPoint:
    """Return the point with the least total cost; costs are per mail, zero or more.

    Raises ValueError for a negative cost or an empty curve.

    Args:
        points: What `Ranking.roc` returned.
        false_positive_cost: Of a negative mail called positive, 0 or more.
        false_negative_cost: Of a positive mail called negative, 0 or more.

    >>> from stream_nb.metrics import Ranking
    >>> ranking = Ranking()
    >>> for score, is_spam in [(1, False), (2, True), (3, False), (4, True), (5, True)]:
    ...     ranking.add(score, is_spam)
    >>> least_cost(ranking.roc(), false_positive_cost=10).threshold
    4.0
    >>> least_cost(ranking.roc(), false_negative_cost=10).threshold
    2.0
    """
    if false_positive_cost < 0 or false_negative_cost < 0:
        costs = f"{false_positive_cost} and {false_negative_cost}"
        raise ValueError(f"costs are {costs}: give numbers of 0 or more")
    _not_empty(points)
    positives = points[-1].true_positives
    return min(
        points,
        key=lambda p: false_positive_cost * p.false_positives + false_negative_cost * (positives - p.true_positives),
    )


def best_accuracy(points: Sequence[RocPoint]) -> RocPoint:
    """Return the point with the fewest errors, both kinds counting the same.

    Args:
        points: What `Ranking.roc` returned.
    """
    return least_cost(points)


def losing_at_most(points: Sequence[RocPoint], max_fpr: float) -> RocPoint:
    """Return the point that catches most positives while at most a share `max_fpr` of the negatives is lost.

    Raises ValueError when `max_fpr` is outside 0 to 1 or the curve is empty.

    Args:
        points: What `Ranking.roc` returned.
        max_fpr: The share of negative mails that may be called positive, 0 to 1.

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
