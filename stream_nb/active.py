"""Active learning: of which mails a label would teach most, and how many labels may be asked for.

Both are independent of the model: they read its `Score`. Source: Settles, Active learning literature survey (2009).
"""

from __future__ import annotations

import math
from typing import Any

from river.active.base import ActiveLearningClassifier

from stream_nb.base import NaiveBayes
from stream_nb.types import Label, Score

ADVANCE_MAILS = 2_000
"""The share of so many mails may be asked for in advance: the first labels teach most."""
_REPAID_MAILS = 1_500  # after so many mails all but 1/e of the advance is repaid
_CORRECTED_MAILS = 250  # what is over or below the budget is made up for within about so many mails
_LATEST_MAILS = 500  # margins are compared with those of this many of the latest mails, or up to twice as many
_BINS = 128


def margin(score: Score) -> float:
    """How far the best class of a mail is before the second best, 0 or more; 0.0 with fewer than two classes.

    Args:
        score: What a model says of the mail.

    >>> margin(Score("spam", 3.0, 0.9, {"ham": -1.5, "spam": 1.5}, 5, 0))
    3.0
    """
    if len(score.scores) < 2:
        return 0.0
    second, first = sorted(score.scores.values())[-2:]
    return first - second if first > second else 0.0


def uncertainty(score: Score) -> float:
    """How much the label of a mail would teach, above 0 to 1: 1 / (1 + m), with m its `margin`.

    A mail far from its other classes would only confirm what is known, and `MailNB` learns little or nothing from it.

    Args:
        score: What a model says of the mail.

    Source: Scheffer, Decomain and Wrobel, Active hidden Markov models for information extraction (2001).

    >>> uncertainty(Score("spam", 3.0, 0.9, {"ham": -1.5, "spam": 1.5}, 5, 0))
    0.25
    """
    return 1.0 / (1.0 + margin(score))


class LabelBudget:
    """Decides of one mail after the other whether to ask for its label, so that a share of them is asked for.

    A mail is asked for when it is among the share r of the latest mails that are least certain, with

        r = share + (share (n + 2000 exp(-n / 1500)) - asked) / 250

    after n mails: more at first, when each label teaches most, and never beyond share (n + 2000) + 1 labels; what was
    asked in advance is repaid later. The state is counts: mails, labels asked for, and a histogram of the uncertainty
    of the latest mails, all counts of which are halved whenever they are 1,000 together.

    `tests/benchmarks/asking.py` compares it with a random share and with all labels. Tried and no better: uncertainty
    weighed by how many recent mails share a mail's words, or unknown ones, or by how rare the class is among labels.

    Args:
        share: Labels a mail, above 0 to 1.

    Raises:
        ValueError: `share` is outside its range.

    >>> budget = LabelBudget(0.1)
    >>> labels = sum(budget.ask(1.0 / (1.0 + number % 7)) for number in range(10_000))
    >>> round(labels / 10_000, 2)
    0.1
    """

    def __init__(self, share: float) -> None:
        if not 0.0 < share <= 1.0:
            raise ValueError(f"share is {share!r}: give a number above 0, and at most 1")
        self.share = share
        self.mails = 0
        self.asked = 0
        self._histogram = [0] * _BINS

    def ask(self, uncertainty: float) -> bool:
        """Whether to ask for the label of the next mail; counts it.

        Args:
            uncertainty: What `uncertainty` says of the mail, 0 to 1.
        """
        advance = ADVANCE_MAILS * math.exp(-self.mails / _REPAID_MAILS)
        rate = self.share + (self.share * (self.mails + advance) - self.asked) / _CORRECTED_MAILS
        place = min(8.0 * math.log2(1.0 + 8.0 * (1.0 / max(uncertainty, 1e-9) - 1.0)), _BINS - 1.0)
        k = int(place)
        latest = sum(self._histogram)
        less_certain = sum(self._histogram[:k]) + (place - k) * self._histogram[k]
        wanted = rate > 0.0 and less_certain <= rate * max(latest, 1)
        self._histogram[k] += 1
        if latest + 1 >= 2 * _LATEST_MAILS:
            self._histogram = [count // 2 for count in self._histogram]
        self.mails += 1
        self.asked += wanted
        return wanted


class BudgetSampler(ActiveLearningClassifier):
    """A model that says of each mail whether its label is worth asking for, within a budget (`LabelBudget`).

    As with the samplers of `river.active`, `predict_one` and `predict_proba_one` return a pair: the prediction, and
    whether to ask. Each call counts as a mail.

    Args:
        classifier: The model.
        share: Labels a mail, above 0 to 1.

    >>> from stream_nb import MailNB
    >>> sampler = BudgetSampler(MailNB(), share=0.5)
    >>> label, ask = sampler.predict_one("win money")
    >>> if ask:
    ...     sampler.learn_one("win money", "spam")
    >>> sampler.predict_one("win money")[0]
    'spam'
    """

    def __init__(self, classifier: NaiveBayes, share: float = 0.1) -> None:
        super().__init__(classifier)
        self._model = classifier
        self.budget = LabelBudget(share)

    @property
    def share(self) -> float:
        """Labels a mail."""
        return self.budget.share

    # river's messages are dicts, and its prediction of a model that has learned nothing is {}

    def learn_one(self, x: Any, y: Label) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Learn a label that was asked for.

        Args:
            x: A message.
            y: Its class.
        """
        self._model.learn_one(x, y)

    def predict_one(self, x: Any) -> tuple[Label | None, bool]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The class of a message, None before the first, and whether to ask for its label.

        Args:
            x: A message.
        """
        return self._model.predict_one(x), self._ask_for_label(x, None)

    def predict_proba_one(self, x: Any) -> tuple[dict[Label, float], bool]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The probability of every class met so far, and whether to ask for the label.

        Args:
            x: A message.
        """
        return self._model.predict_proba_one(x), self._ask_for_label(x, None)

    def _ask_for_label(self, x: Any, y_pred: Any) -> bool:
        return self.budget.ask(uncertainty(self._model.score(x)))
