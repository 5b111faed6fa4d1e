"""The Bernoulli event model: each word of the vocabulary is present in a message or absent."""

from __future__ import annotations

import math

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import TextTotal
from stream_nb.prior import Prior
from stream_nb.text.base import TextNB
from stream_nb.text.interpretation import ALL, log, weighted_sum
from stream_nb.types import Label


class BernoulliNB(TextNB):
    """Multivariate Bernoulli naive Bayes: absent words count too.

        log P(y | x) = log P(y) + sum over words w in x of log P(w | y)
                                + sum over words w of the vocabulary not in x of log(1 - P(w | y)) + constant
        P(w | y) = (m_wy + lambda) / (m_y + 2 lambda)

    P(w | y) is the share of the class's m_y messages that contain the word, m_wy of them, after adding lambda messages
    with the word and lambda without it. Words never seen are ignored.

    The sum over absent words does not iterate over the vocabulary. With h_y[m] the number of words that occur in
    exactly m messages of the class,

        sum over w of log(1 - P(w | y)) = sum over m of h_y[m] log(m_y - m + lambda) - V log(m_y + 2 lambda)

    which is exact for every lambda and has one term per distinct count. The words that are present are then corrected
    one by one.

    An empty model predicts None and ``{}``.

    Args:
        key: Secret key of the word hash, 16 bytes or more; None is a public key, for experiments.
        smoothing: lambda, in messages, 0 to 1e300.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        positive: The class of log-odds and probability.

    All options except `key` apply when the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range.

    >>> model = BernoulliNB(prior="uniform")
    >>> for text, label in [("Chinese Beijing Chinese", "yes"), ("Chinese Chinese Shanghai", "yes"),
    ...                     ("Chinese Macao", "yes"), ("Tokyo Japan Chinese", "no")]:
    ...     model.learn_one(text, label)
    >>> model.word_probabilities("chinese")  # 4 / 5 and 2 / 3
    {'yes': 0.8, 'no': 0.666667}
    >>> model.predict_one("Chinese Chinese Chinese Tokyo Japan")
    'no'

    Source: McCallum and Nigam, A comparison of event models for naive Bayes text classification (1998);
    Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section 13.3.
    """

    def __init__(
        self,
        key: bytes | None = None,
        smoothing: float = 1.0,
        prior: Prior = "learned",
        positive: Label = "spam",
    ) -> None:
        super().__init__(key, smoothing, prior, positive)

    def _score(self, extractor: Extractor, find: bool, smoothing: float, positive: int) -> int:
        counts = self._counts
        counts.keep_histograms()
        return kernels.bernoulli_score(
            extractor.text, extractor.parts, extractor.n, find, counts.table.rows,
            self._addresses, smoothing, positive,
        )  # fmt: skip

    def _log_probabilities(self, label: Label, rows: slice = ALL) -> tuple[np.ndarray, np.ndarray]:
        """log P(word | y) and log(1 - P(word | y)) of these rows of the vocabulary."""
        with_word = self._column(label, TextTotal.MESSAGE, rows)
        messages = self._counts.messages()[label]
        total = messages + 2.0 * self.smoothing
        below = math.log(total) if total > 0.0 else 0.0  # decay may leave a class with words but no messages
        without = np.maximum(messages - with_word, 0.0)  # see `kernels.text.bernoulli`
        return log(with_word + self.smoothing) - below, log(without + self.smoothing) - below

    def _word_log_probabilities(self, label: Label, rows: slice = ALL) -> np.ndarray:
        return self._log_probabilities(label, rows)[0]

    def _linear_parts(self, label: Label) -> tuple[float, np.ndarray]:
        present, absent = self._log_probabilities(label)
        with np.errstate(invalid="ignore"):  # both are -inf in a class without messages
            return math.fsum(absent[self._counted()]), present - absent

    def _own_log_likelihood(self, label: Label) -> float:
        present, absent = self._log_probabilities(label)
        counted, with_word = self._counted(), self._column(label, TextTotal.MESSAGE)
        without = np.maximum(self._counts.messages()[label] - with_word, 0.0)
        return weighted_sum(with_word[counted], present[counted]) + weighted_sum(without[counted], absent[counted])
