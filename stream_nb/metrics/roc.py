"""The ROC curve and the area under it: how well scores separate two classes, at all thresholds."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple


class RocPoint(NamedTuple):
    """The result of classifying mails as positive if their score is at or above `threshold`.

    `true_positives` and `false_positives` are counts; `tpr` and `fpr` are these as shares of their class.
    """

    threshold: float
    true_positives: int
    false_positives: int
    tpr: float
    fpr: float


def check_positive(is_positive: bool) -> None:
    """Raise ValueError unless `is_positive` is True or False (or 1 or 0), because a class name or -1 would be true."""
    if is_positive not in (0, 1):
        raise ValueError(f"is_positive is {is_positive!r:.60}: give True or False, as in label == 'spam'")


class Ranking:
    """The exact ROC curve and area of scored mails, updated as mails are added and removed.

    The area is the share of (positive, negative) pairs in which the positive mail scores higher; ties count one half.
    Pairs are counted in integers, so `remove` exactly undoes `add`, and the order of mails does not matter. Scores may
    be log-odds of any size, including infinite ones. They are stored in two sorted arrays of 8 bytes per score; adding
    costs two binary searches and one insertion. For the last n mails use ``river.utils.Rolling(Ranking,
    window_size=n)``. river's ROCAUC is an approximation over a grid of thresholds, and its RollingROCAUC has no curve.

    Source: Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27 (2006).

    >>> ranking = Ranking()
    >>> for score, is_spam in [(0.1, False), (0.4, False), (0.35, True), (0.8, True)]:
    ...     ranking.add(score, is_spam)
    >>> ranking.auc()
    0.75
    >>> ranking.one_minus_auc_pct()
    25.0
    >>> ranking.remove(0.4, False)
    >>> ranking.auc()
    1.0
    >>> Ranking().auc() is None
    True
    """

    def __init__(self) -> None:
        self._positive = array("d")
        self._negative = array("d")
        self._half_wins = 0  # per pair 2 if the positive scores higher, 1 for a tie

    def __len__(self) -> int:
        return len(self._positive) + len(self._negative)

    def add(self, score: float, is_positive: bool) -> None:
        """Add one mail. Raises ValueError if `score` is NaN or `is_positive` is no truth value.

        Args:
            score: Any number but NaN; higher is more positive.
            is_positive: Whether the mail is positive.
        """
        if math.isnan(score):
            raise ValueError("score is NaN: leave out mails without a score")
        check_positive(is_positive)
        self._half_wins += self._half_wins_of(score, is_positive)
        own = self._positive if is_positive else self._negative
        own.insert(bisect_right(own, score), score)

    def remove(self, score: float, is_positive: bool) -> None:
        """Remove one mail that was added before. Raises KeyError, and changes nothing, if there is no such mail.

        Args:
            score: As it was passed to `add`.
            is_positive: As it was passed to `add`.
        """
        own = self._positive if is_positive else self._negative
        at = bisect_left(own, score)
        if at == len(own) or own[at] != score:
            name = "positive" if is_positive else "negative"
            raise KeyError(f"no {name} mail with score {score!r} to remove")
        del own[at]
        self._half_wins -= self._half_wins_of(score, is_positive)

    update, revert = add, remove  # the names that river.utils.Rolling calls

    def _half_wins_of(self, score: float, is_positive: bool) -> int:
        other = self._negative if is_positive else self._positive
        below, up_to = bisect_left(other, score), bisect_right(other, score)
        return below + up_to if is_positive else 2 * len(other) - below - up_to

    def auc(self) -> float | None:
        """Return the area under the ROC curve, 0 to 1; None while either class has no mail."""
        pairs = len(self._positive) * len(self._negative)
        return self._half_wins / (2 * pairs) if pairs else None

    def one_minus_auc_pct(self) -> float | None:
        """Return 100 (1 - AUC), the ranking error in percent; None while either class has no mail."""
        pairs = len(self._positive) * len(self._negative)
        return 100.0 * ((2 * pairs - self._half_wins) / (2 * pairs)) if pairs else None

    def roc(self) -> list[RocPoint]:
        """Return the curve from (0, 0), with threshold inf, to (1, 1): one point per distinct score, by descending
        threshold.

        Neither rate decreases along the list. The rate of a class without mails is 0.

        >>> ranking = Ranking()
        >>> ranking.add(2.0, True); ranking.add(-1.0, False)
        >>> [(p.threshold, p.tpr, p.fpr) for p in ranking.roc()]
        [(inf, 0.0, 0.0), (2.0, 1.0, 0.0), (-1.0, 1.0, 1.0)]
        """
        positives, negatives = len(self._positive), len(self._negative)
        points = [RocPoint(math.inf, 0, 0, 0.0, 0.0)]
        for threshold in sorted({*self._positive, *self._negative}, reverse=True):
            hits = positives - bisect_left(self._positive, threshold)
            false_alarms = negatives - bisect_left(self._negative, threshold)
            tpr = hits / positives if positives else 0.0
            fpr = false_alarms / negatives if negatives else 0.0
            points.append(RocPoint(threshold, hits, false_alarms, tpr, fpr))
        return points
