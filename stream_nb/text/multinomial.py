"""The multinomial event model: a message is a sequence of words drawn from its class."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from stream_nb import kernels, parameter
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import UNIT, TextTotal
from stream_nb.prior import Prior
from stream_nb.text.base import TextNB
from stream_nb.text.interpretation import log, weighted_sum
from stream_nb.types import Label

_TERM, _MESSAGE = int(TextTotal.TERM), int(TextTotal.MESSAGE)  # numba takes long to look at members of enumerations


class MultinomialNB(TextNB):
    """Multinomial naive Bayes over counts, or over presence (each word of a message once).

        log P(y | x) = log P(y) + sum over words w of x_w log P(w | y) + constant
        P(w | y) = (n_wy + lambda) / (n_y + lambda V)

    In words: the chance of a word is its share of all words of the class, as if each of the V words seen so
    far had occurred lambda times more. Words never seen are dropped (`unseen="drop"`) or get
    the share of a count of 0 (`unseen="smooth"`). Smoothing 0 gives a message probability 0 in every class
    that lacks one of its words; lambda 1 is Laplace's rule, 0.5 Jeffreys'.

    An empty model predicts None and ``{}``.

    Args:
        key: Secret of the word hash, 16 bytes or more; None is a key for study.
        smoothing: lambda, in occurrences, 0 or more and finite.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        unseen: ``drop`` or ``smooth``, for words never seen.
        presence: Whether each word of a message counts once.
        positive: The class that log-odds speak of.

    All but `key` only choose how the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range; the message names it and the range.

    >>> model = MultinomialNB()
    >>> for text, label in [("Chinese Beijing Chinese", "yes"), ("Chinese Chinese Shanghai", "yes"),
    ...                     ("Chinese Macao", "yes"), ("Tokyo Japan Chinese", "no")]:
    ...     model.learn_one(text, label)
    >>> model.word_probabilities("chinese")  # 6 / 14 and 2 / 9
    {'yes': 0.428571, 'no': 0.222222}
    >>> model.predict_one("Chinese Chinese Chinese Tokyo Japan")
    'yes'
    >>> model.smoothing = 0.0
    >>> model.predict_proba_one("Tokyo Shanghai Japan")
    {'yes': 0.5, 'no': 0.5}

    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section 13.2; for presence
    McCallum and Nigam, A comparison of event models for naive Bayes text classification (1998).
    """

    unseen = parameter.choice("drop", "smooth")
    presence = parameter.flag()

    def __init__(
        self,
        key: bytes | None = None,
        smoothing: float = 1.0,
        prior: Prior = "learned",
        unseen: str = "drop",
        presence: bool = False,
        positive: Label = "spam",
    ) -> None:
        super().__init__(key, smoothing, prior, positive)
        self.unseen = unseen
        self.presence = presence

    def perplexity(self, x: Any) -> dict[Label, float]:
        """exp of minus the mean log P(word | class) over the known words of a message: one language model a
        class.

        Lower is more at home; inf where a word is impossible; 1.0 for a message without known words.

        Args:
            x: A message.
        """
        _, terms = self._explain(x)
        extractor, table = self._counts.extractor, self._counts.table
        rows = extractor.row_ids[: extractor.n]
        known = np.array([row >= 0 and table.counts[row].any() for row in rows], bool)
        words = float(known.sum() if self.presence else extractor.counts[: extractor.n][known].sum() / UNIT)
        sums = [math.fsum(column) if -math.inf not in column else -math.inf for column in terms[known].T.tolist()]
        return {
            label: math.exp(min(-value / words, 700.0)) if words and value > -math.inf else (math.inf if words else 1.0)
            for label, value in zip(self.classes, sums, strict=True)
        }

    def class_entropy(self, label: Label) -> float:
        """Entropy of P(word | class) over the vocabulary, in bits.

        Args:
            label: A class.

        Raises:
            KeyError: The class has not been met.
        """
        logs = self._word_log_probabilities(label)[self._met()]
        return -weighted_sum(np.exp(logs), logs) / math.log(2)

    @property
    def _event(self) -> int:
        return _MESSAGE if self.presence else _TERM

    def _score(self, extractor: Extractor, find: bool, smoothing: float, positive: int) -> int:
        counts = self._counts
        return kernels.multinomial_score(
            extractor.text, extractor.parts, extractor.n, find, counts.table.rows,
            self._addresses, self._event, smoothing, self.unseen == "smooth", positive,
        )  # fmt: skip

    def _word_log_probabilities(self, label: Label) -> np.ndarray:
        total = int(self._counts.totals[self._counts.columns[label], self._event]) / UNIT
        above = log(self._column(label, self._event) + self.smoothing)
        below = total + self.smoothing * self.words
        return above - math.log(below) if below > 0.0 else above

    def _linear_parts(self, label: Label) -> tuple[float, np.ndarray]:
        return 0.0, self._word_log_probabilities(label)

    def _own_log_likelihood(self, label: Label) -> float:
        return weighted_sum(self._column(label, self._event), self._word_log_probabilities(label))
