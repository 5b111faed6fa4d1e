"""From a score to a decision: the threshold, and when to answer "unsure"."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stream_nb import kernels, posterior
from stream_nb.kernels.layout import BINS, UNIT, WIDEST
from stream_nb.mail_nb.model import MailNB
from stream_nb.types import ClassName, Label, Score

UNSURE = "unsure"
"""The decision for a mail within the unsure band; not a class."""

_BIN = 2 * WIDEST / BINS  # width of a bin of the margin histogram, which spans -WIDEST to WIDEST
_TAIL_MAILS = 5  # number of highest scores to which the tail is fitted
_PRIOR_MAILS, _PRIOR_EXCESS = 2, 0.3  # pseudo-observations added to them, and their mean excess


@dataclass(frozen=True)
class Policy:
    """The rule for classifying a mail as positive. The model's statistics do not depend on it, so it may change at any
    time.

    Args:
        positive: The class to decide on; not "unsure".
        threshold: The log-odds above which a mail is positive, unless `lose_at_most` asks for more or
            `false_positive_cost` decides.
        lose_at_most: A share, 0 to 1. The threshold for a model is then the lowest, but at least `threshold`, above
            which this share of the other classes' mails is expected, judging by the scores of labelled mails at the
            time they were learned (`threshold_losing`). With 0 no mail is positive.
        false_positive_cost: Cost of a false positive relative to that of a false negative, above 0. Unless it is 1, a
            mail is positive if its calibrated probability is at least cost / (cost + 1), whatever the threshold.
        unsure: Mails whose log-odds are closer to the threshold than this, 0 or more, are "unsure".

    Raises:
        ValueError: An argument is outside its range, or both `lose_at_most` and `false_positive_cost` are given.

    >>> score = Score("spam", 0.6, 0.9, {"ham": -0.3, "spam": 0.3}, 5, 0)
    >>> Policy().decide(score, threshold=0.0), Policy(unsure=1.0).decide(score, threshold=0.0)
    ('spam', 'unsure')
    >>> Policy(false_positive_cost=99.0).decide(score, threshold=0.0)
    'ham'

    Source: Elkan, The foundations of cost-sensitive learning (2001), for the threshold by costs.
    """

    positive: ClassName = "spam"
    threshold: float = 0.0
    lose_at_most: float | None = None
    false_positive_cost: float = 1.0
    unsure: float = 0.0

    def __post_init__(self) -> None:
        if self.positive == UNSURE:
            raise ValueError(
                f"positive is {UNSURE!r}, the decision for mails near the threshold: give the name of a class"
            )
        if math.isnan(self.threshold):
            raise ValueError("threshold is nan: give a number of log-odds")
        if self.lose_at_most is not None and not 0.0 <= self.lose_at_most <= 1.0:
            raise ValueError(f"lose_at_most is {self.lose_at_most!r}: give a share from 0 to 1")
        if not 0.0 < self.false_positive_cost < math.inf:
            raise ValueError(f"false_positive_cost is {self.false_positive_cost!r}: give a number above 0")
        if not self.unsure >= 0.0:
            raise ValueError(f"unsure is {self.unsure!r}: give a number of 0 or more")
        if self.lose_at_most is not None and self.false_positive_cost != 1.0:
            raise ValueError("lose_at_most and false_positive_cost exclude each other: give one of them")

    def threshold_for(self, model: object) -> float:
        """The current threshold for a model: `threshold`, or with `lose_at_most` the result of `threshold_losing`.

        Args:
            model: The model that scores; with `lose_at_most` a `MailNB`.

        Raises:
            TypeError: `lose_at_most` is set and the model is not a `MailNB`: only that records margins.
        """
        if self.lose_at_most is None:
            return self.threshold
        if not isinstance(model, MailNB):
            raise TypeError(f"lose_at_most needs the margins of a MailNB, not a {type(model).__name__}")
        return threshold_losing(model, self.positive, self.lose_at_most, self.threshold)

    def decide(self, score: Score, threshold: float) -> ClassName | None:
        """The label for a score: positive above the threshold, else the best other class; None without classes.

        If several are the best, it is the one that the model predicts, or else the first by name.

        While the positive class is the only one, mails are "unsure": there is nothing to distinguish it from.

        Args:
            score: The model's score of a mail.
            threshold: The result of `threshold_for`, in log-odds.
        """
        if self.positive not in score.scores:
            return score.label
        if len(score.scores) == 1:
            return UNSURE
        if abs(score.log_odds - threshold) < self.unsure:
            return UNSURE
        is_positive = score.log_odds > threshold
        if self.false_positive_cost != 1.0:
            is_positive = score.probability >= self.false_positive_cost / (self.false_positive_cost + 1.0)
        if is_positive:
            return self.positive
        if score.label != self.positive:
            return score.label
        return posterior.best({label: value for label, value in score.scores.items() if label != self.positive})


def threshold_losing(model: MailNB, positive: Label, share: float, least: float = 0.0) -> float:
    """The lowest threshold, at least `least`, above which a share of the other classes' mails is expected to score.

    The threshold is computed from the model's histogram of the margins of all labels, less those that are likely wrong
    (`kernels.mail_nb.wrong_labels`). Believed labels alone would not do, because ham that would be lost is believed
    least. Mails are assumed to be evenly distributed within a bin, 0.25 wide. If fewer than 5 mails may be lost, the
    tail above the score c that 5 of n mails exceed is assumed to be exponential: with x the sum of their excesses over
    c, the threshold is c + e log(5 / (share n)), e = (x + 0.6) / (5 + 2), as if two more mails had exceeded c by 0.3.
    So it is stable before 1 / share mails have been labelled. Without labels only the two mails count, with c = 0: the
    threshold is 0.3 log(1 / share). For a share of 0 it is inf.

    `python -m tests.benchmarks.losing` compares it with the best fixed threshold in hindsight; docs/figures.md has the
    figures. Tried on Enron 1 to 3, SpamAssassin and generated mail, in many orders, with late and wrong labels: margins
    weighted by how far labels are believed lose up to 2.2 times what is allowed; without the two mails nearly twice as
    many of the first 200 ham are lost at .1 %. A tail of 3 mails, or bins of 1/16, lose a tenth more at .1 %. A tail of
    20 mails, a Pareto tail, or raising the threshold with each lost ham and lowering it with each kept one, miss a
    tenth to a third more spam at the same loss. Without the oldest tenth of the margins more than allowed are lost. At
    1 % most of the gap to the best fixed threshold, which is 0, arises at the beginning, where more is lost.

    Args:
        model: The model that scores.
        positive: The class that the threshold is for.
        share: Share of the other classes' mails that may score above the threshold, 0 to 1.
        least: The lowest threshold to return, in log-odds.

    Raises:
        ValueError: `share` is out of range.

    Source: Pickands, Statistical inference using extreme order statistics (1975), for the tail.

    >>> model = MailNB()
    >>> round(threshold_losing(model, "spam", 0.01), 2)
    1.38
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share is {share!r}: give a share from 0 to 1")
    statistics = model.statistics
    # Margin m for another class is score -m for the positive one, so the first bin has the highest scores.
    mails, positives = np.zeros(BINS), np.zeros(BINS)
    for label in statistics.classes:
        margins = np.maximum(statistics.margins(label), 0) / UNIT
        if label == positive:
            positives += margins[::-1]
        else:
            mails += margins
    kernels.discount_wrong_labels(mails, positives)
    above = np.cumsum(mails)
    total = float(above[-1])
    allowed = share * total
    if share == 0.0:
        return math.inf
    if total == 0.0:
        return max(least, -_PRIOR_EXCESS * math.log(share))
    counted = min(max(allowed, _TAIL_MAILS), total)
    k = int(np.searchsorted(above, counted))
    begins = WIDEST - _BIN * np.arange(1, BINS + 1)
    inside = counted - float(above[k] - mails[k])
    threshold = float(begins[k]) + _BIN * (1.0 - inside / float(mails[k]))
    if allowed < counted:
        higher = float(mails[:k] @ (begins[:k] + _BIN / 2 - threshold))
        excess = higher + inside * (float(begins[k]) + _BIN - threshold) / 2
        mean = (excess + _PRIOR_MAILS * _PRIOR_EXCESS) / (counted + _PRIOR_MAILS)
        threshold += mean * math.log(counted / allowed)
    return max(least, threshold)
