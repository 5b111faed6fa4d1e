"""Active learning: which mails to ask labels for, within a budget.

It depends on a model's `Score` only. Source: Settles, Active learning literature survey (2009).
"""

from __future__ import annotations

import math
from typing import Any

from river.active.base import ActiveLearningClassifier

from stream_nb import posterior
from stream_nb.base import NaiveBayes
from stream_nb.types import ClassName, Label, Score

ADVANCE_MAILS = 2_000
"""The labels of this many mails' budget may be asked for in advance, because the first labels teach most."""
_REPAID_MAILS = 1_500  # after this many mails all but 1/e of the advance is repaid
_CORRECTED_MAILS = 250  # a deviation from the budget is corrected within about this many mails
_LATEST_MAILS = 500  # a margin is compared with those of the latest 500 to 1,000 mails
_BINS = 128


def margin(score: Score) -> float:
    """The margin of a mail's best class: the highest score minus the second highest; 0.0 with fewer than two classes.

    Args:
        score: A model's score of the mail.

    >>> margin(Score("spam", 3.0, 0.9, {"ham": -1.5, "spam": 1.5}, 5, 0))
    3.0
    """
    best = posterior.best(score.scores)
    return 0.0 if best is None else posterior.margin(score.scores, best)


def uncertainty(score: Score) -> float:
    """How much the label of a mail would teach, in (0, 1]: 1 / (1 + m), with m its `margin`.

    The label of a mail with a large margin would only confirm the model: `MailNB` learns little or nothing from it.

    Args:
        score: A model's score of the mail.

    Source: Scheffer, Decomain and Wrobel, Active hidden Markov models for information extraction (2001).

    >>> uncertainty(Score("spam", 3.0, 0.9, {"ham": -1.5, "spam": 1.5}, 5, 0))
    0.25
    """
    return 1.0 / (1.0 + margin(score))


class LabelBudget:
    """Decides for each mail of a stream whether to ask for its label, so that a given share of labels is asked for.

    It asks for a mail's label if the mail is among the fraction r of the latest mails that are least certain, with

        r = share + (share (n + 2000 exp(-n / 1500)) - asked) / 250

    after n mails. It asks for more at first, when each label teaches most, and for fewer later; it never asks for more
    than share (n + 2250) + 1 labels. The state is counts: mails, labels asked for, and a histogram of the uncertainty
    of the latest mails. When the histogram reaches 1,000 mails, its counts are halved.

    `tests/benchmarks/asking.py` compares it with random sampling and with all labels. Tried and no better: weighting
    uncertainty by the number of recent mails that share the mail's words, or its unknown words, or by how rare the
    class is among labels.

    Args:
        share: Labels per mail, in (0, 1].

    Raises:
        ValueError: `share` is out of range.

    >>> budget = LabelBudget(0.1)
    >>> labels = sum(budget.ask(1.0 / (1.0 + number % 7)) for number in range(10_000))
    >>> round(labels / 10_000, 2)
    0.1
    """

    def __init__(self, share: float) -> None:
        try:
            fits = bool(0.0 < share <= 1.0)
        except TypeError:
            fits = False
        if not fits:
            raise ValueError(f"share is {share!r}: give a number above 0, and at most 1")
        self.share = share
        self.mails = 0
        self.asked = 0
        self._histogram = [0] * _BINS

    def ask(self, uncertainty: float) -> bool:
        """Count the next mail, and return whether to ask for its label.

        Args:
            uncertainty: The `uncertainty` of the mail, 0 to 1.

        Raises:
            ValueError: `uncertainty` is out of range; the mail has not been counted.
        """
        if not 0.0 <= uncertainty <= 1.0:
            raise ValueError(f"uncertainty is {uncertainty!r}: give a number from 0 to 1")
        advance = ADVANCE_MAILS * math.exp(-self.mails / _REPAID_MAILS)
        rate = self.share + (self.share * (self.mails + advance) - self.asked) / _CORRECTED_MAILS
        position = min(8.0 * math.log2(1.0 + 8.0 * (1.0 / max(uncertainty, 1e-9) - 1.0)), _BINS - 1.0)
        k = int(position)
        latest = sum(self._histogram)
        less_certain = sum(self._histogram[:k]) + (position - k) * self._histogram[k]
        wanted = less_certain <= rate * latest
        self._histogram[k] += 1
        if latest + 1 >= 2 * _LATEST_MAILS:
            self._histogram = [count // 2 for count in self._histogram]
        self.mails += 1
        self.asked += wanted
        return wanted


class BudgetSampler(ActiveLearningClassifier):
    """A model that also predicts whether a mail's label is worth asking for, within a `LabelBudget`.

    As with the samplers of `river.active`, `predict_one` and `predict_proba_one` return a pair: the prediction, and
    whether to ask for the label. Each call counts as one mail.

    Args:
        classifier: The model, of this package; TypeError otherwise.
        share: Labels per mail, in (0, 1].

    >>> from stream_nb import MailNB
    >>> sampler = BudgetSampler(MailNB(), share=0.5)
    >>> label, ask = sampler.predict_one("win money")
    >>> if ask:
    ...     sampler.learn_one("win money", "spam")
    >>> sampler.predict_one("win money")[0]
    'spam'
    """

    def __init__(self, classifier: NaiveBayes, share: float = 0.1) -> None:
        # To isinstance, a pipeline of river is its last step.
        if not issubclass(type(classifier), NaiveBayes):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"classifier is a {type(classifier).__name__}: give a model of stream_nb; transformers come before the "
                "sampler, as in `BagOfWords() | BudgetSampler(MailNB())`"
            )
        super().__init__(classifier)
        self._model = classifier
        self.budget = LabelBudget(share)

    @property
    def share(self) -> float:
        """Labels per mail."""
        return self.budget.share

    # The signatures differ from river's, where a message is a dict and the prediction of an empty model is {}.

    def learn_one(self, x: Any, y: Label) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Learn a label that was asked for.

        Args:
            x: A message.
            y: Its class.
        """
        self._model.learn_one(x, y)

    def predict_one(self, x: Any) -> tuple[ClassName | None, bool]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The predicted class (None for an empty model), and whether to ask for the label.

        Args:
            x: A message.
        """
        score = self._model.score(x)
        return score.label, self.budget.ask(uncertainty(score))

    def predict_proba_one(self, x: Any) -> tuple[dict[ClassName, float], bool]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The probability of every class, and whether to ask for the label.

        Args:
            x: A message.
        """
        return self._model.predict_proba_one(x), self._ask_for_label(x, None)

    def _ask_for_label(self, x: Any, y_pred: Any) -> bool:
        return self.budget.ask(uncertainty(self._model.score(x)))
