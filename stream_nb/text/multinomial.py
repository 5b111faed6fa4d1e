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
from stream_nb.text.interpretation import ALL, log, weighted_sum
from stream_nb.types import ClassName, Label

_TERM, _MESSAGE = int(TextTotal.TERM), int(TextTotal.MESSAGE)  # because numba is slow to unbox enum members


class MultinomialNB(TextNB):
    """Multinomial naive Bayes over word counts, or over presence (each word at most once per message).

        log P(y | x) = log P(y) + sum over words w of x_w log P(w | y) + constant
        P(w | y) = (n_wy + lambda) / (n_y + lambda V)

    P(w | y) is the word's share of all word occurrences in the class, n_wy of n_y, after adding lambda to the count of
    each of the V words seen so far. Words never seen are ignored (`unseen="drop"`) or get the probability of count 0
    (`unseen="smooth"`). With lambda 0 a message has probability 0 in every class that lacks one of its words; lambda 1
    is Laplace's rule, 0.5 Jeffreys'.

    An empty model predicts None and ``{}``.

    Args:
        key: Secret key of the word hash, 16 bytes or more; None is a public key, for experiments.
        smoothing: lambda, in occurrences, 0 to 1e300.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        unseen: ``drop`` or ``smooth``, for words never seen.
        presence: Whether to count each word at most once per message.
        positive: The class of log-odds and probability.

    All options except `key` apply when the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range.

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

    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section 13.2; for presence,
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

    def perplexity(self, x: Any) -> dict[ClassName, float]:
        """Perplexity of a message under each class's language model: exp of minus the mean log P(word | class) over the
        known words.

        Lower means a better fit; inf if a word has probability 0; 1.0 for a message without known words.

        Args:
            x: A message.
        """
        _, terms = self._explain(x)
        extractor, table = self._counts.extractor, self._counts.table
        rows = extractor.row_ids[: extractor.n]
        known = np.array([row >= 0 and table.counts[row].any() for row in rows], bool)
        words = float(known.sum() if self.presence else extractor.counts[: extractor.n][known].sum(dtype=float) / UNIT)
        if not words:
            return dict.fromkeys(self.classes, 1.0)
        sums = [math.fsum(column) if -math.inf not in column else -math.inf for column in terms[known].T.tolist()]
        return {
            label: math.exp(min(-value / words, 700.0)) if value > -math.inf else math.inf
            for label, value in zip(self.classes, sums, strict=True)
        }

    def class_entropy(self, label: Label) -> float:
        """Entropy of P(word | class) over the vocabulary, in bits.

        Args:
            label: A class.

        Raises:
            KeyError: The class is unknown.
        """
        logs = self._word_log_probabilities(label)[self._counted()]
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

    def _word_log_probabilities(self, label: Label, rows: slice = ALL) -> np.ndarray:
        total = max(int(self._counts.totals[self._counts.known_column(label), self._event]), 0) / UNIT
        log_counts = log(self._column(label, self._event, rows) + self.smoothing)
        denominator = total + self.smoothing * self.words
        return log_counts - math.log(denominator) if denominator > 0.0 else log_counts

    def _linear_parts(self, label: Label) -> tuple[float, np.ndarray]:
        return 0.0, self._word_log_probabilities(label)

    def _own_log_likelihood(self, label: Label) -> float:
        return weighted_sum(self._column(label, self._event), self._word_log_probabilities(label))
