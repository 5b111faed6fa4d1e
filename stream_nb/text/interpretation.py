"""A model of words as a linear function: bias and weights, evidence, the words of a class, the likelihood."""

from __future__ import annotations

import abc
import functools
import math
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from stream_nb import parameter
from stream_nb.base import GenerativeNB
from stream_nb.features.model import CountingNB
from stream_nb.kernels.layout import UNIT
from stream_nb.posterior import evidence_of, log_likelihood_of
from stream_nb.text.statistics import WordStatistics
from stream_nb.types import Evidence, Label, LogLikelihood, Mail, Term


class Linear(NamedTuple):
    """Log-odds as a linear function: `bias` plus the sum of weights[word] * x[word] over the words of the
    mail."""

    bias: float
    weights: dict[str, float]


class InterpretableNB(CountingNB[WordStatistics], GenerativeNB):
    """What a model over `WordStatistics` knows, word by word; subclasses say how words are weighed."""

    smoothing = parameter.number(0.0)

    @property
    @abc.abstractmethod
    def words(self) -> int:
        """V: distinct words with a count."""

    @abc.abstractmethod
    def _explain(self, x: Any) -> tuple[dict[Label, float], np.ndarray]:
        """The joint log scores, and of each word of the message its share in each."""

    @abc.abstractmethod
    def log_priors(self) -> dict[Label, float]:
        """log P(y) of each class."""

    @abc.abstractmethod
    def _linear_parts(self, label: Label) -> tuple[float, np.ndarray]:
        """log P(x | y) as a constant and one weight for each row of the vocabulary."""

    @abc.abstractmethod
    def _word_log_probabilities(self, label: Label) -> np.ndarray:
        """log P(word | y) of each row of the vocabulary."""

    @abc.abstractmethod
    def _own_log_likelihood(self, label: Label) -> float:
        """log P(words of the class's messages | y)."""

    def evidence(self, x: Any) -> Evidence:
        """Bias and one term a known word that add up to the log-odds of the positive class (or, if it has not
        come, the best) against the best other; the strongest words first.

        Without smoothing a word that a class has never met weighs infinitely much; where one does, nothing adds up, and
        the bias is 0.0.

        Args:
            x: A message.
        """
        return evidence_of(self.joint_log_likelihood(x), self.positive, functools.partial(self.terms, x))

    def terms(self, x: Any, label: Label, rival: Label) -> list[Term]:
        """What each known word of a message adds to the log-odds of two classes; the strongest first.

        Args:
            x: A message.
            label: A class that has been met.
            rival: The class to compare it with.
        """
        columns = self._counts.columns
        _, terms = self._explain(x)
        with np.errstate(invalid="ignore"):
            weights = np.nan_to_num(
                terms[:, columns[label]] - terms[:, columns[rival]], posinf=math.inf, neginf=-math.inf
            )
        extractor = self._counts.extractor
        return [
            self._term(int(extractor.row_ids[i]), extractor.text_of(i), float(weights[i]))
            for i in np.argsort(-np.abs(weights), kind="stable")
        ]

    def word_probabilities(self, word: str | list[str] | Mail) -> dict[Label, float]:
        """P(word | class) of each class for one word, as tokens are (lower case from text); ``{}`` if never
        met.

        Args:
            word: A word, as tokens are; or a message of one word, which may be a subject's.
        """
        found = self._counts.find([word] if isinstance(word, str) else word)
        row = int(found.row_ids[0]) if found.n else -1
        if row < 0 or not self._counts.table.counts[row].any():
            return {}
        return {label: math.exp(self._word_log_probabilities(label)[row]) for label in self.classes}

    def top_words(self, label: Label, n: int = 10) -> list[tuple[str, float]]:
        """The n words most probable in a class, with P(word | class).

        Args:
            label: A class.
            n: The most words to return.

        Raises:
            KeyError: The class has not been met.
        """
        chances = np.where(self._met(), np.exp(self._word_log_probabilities(label)), -1.0)
        rows = np.lexsort((self._counts.table.keys, -chances))[: min(n, self.words)]
        return [(self._counts.table.text_of(int(row)), float(chances[row])) for row in rows]

    def strongest(self, label: Label, n: int = 20, keep: Callable[[str], bool] = lambda text: True) -> tuple[Term, ...]:
        """The n words that speak most for a class against the best other, strongest first.

        The weight is log P(word | label) less the greatest log P(word | other class). Words that do not speak for the
        class are left out, and so are those that `keep` refuses by their text; no other class, no words.

        Args:
            label: The class that the words speak for.
            n: The most words to return, 0 or more.
            keep: Whether a word of this text may be among them.

        Raises:
            KeyError: The class has not been met.
        """
        others = [self._word_log_probabilities(other) for other in self.classes if other != label]
        own = self._word_log_probabilities(label)
        if not others:
            return ()
        with np.errstate(invalid="ignore"):
            weights = np.nan_to_num(own - np.max(others, axis=0), nan=0.0, posinf=math.inf, neginf=-math.inf)
        rows = np.flatnonzero(self._met() & (weights > 0.0))
        ranked = rows[np.lexsort((self._counts.table.keys[rows], -weights[rows]))].tolist()
        kept = ((row, text) for row in ranked if keep(text := self._counts.table.text_of(row)))
        return tuple(self._term(row, text, float(weights[row])) for row, text in islice(kept, n))

    def linear(self, positive: Label, rival: Label) -> Linear:
        """The log-odds of two classes as bias and weights, linear in the counts of words, or in 0 and 1 for presence.

        Without smoothing a word that one of the classes has never met weighs inf or -inf; one that neither has met, 0.

        Args:
            positive: A class.
            rival: The class to compare it with.

        Raises:
            KeyError: A class has not been met.
            ValueError: Without smoothing, in a model of absent words, a word is in all messages of a class.
        """
        priors = self.log_priors()
        (ours, for_us), (theirs, for_them) = self._linear_parts(positive), self._linear_parts(rival)
        if not math.isfinite(ours) or not math.isfinite(theirs):
            raise ValueError(
                f"with smoothing {self.smoothing!r} some word cannot be absent in {positive!r} or {rival!r}, which no "
                "linear function says: set smoothing above 0"
            )
        weights = {
            self._counts.table.text_of(int(row)): _difference(float(for_us[row]), float(for_them[row]))
            for row in np.flatnonzero(self._met())
        }
        return Linear(_difference(priors[positive], priors[rival]) + ours - theirs, weights)

    def log_likelihood(self) -> LogLikelihood:
        """How probable the model finds all it has learned, in its parts, which add up."""
        return log_likelihood_of(self._counts.messages(), self.log_priors(), self._own_log_likelihood)

    def _met(self) -> np.ndarray:
        """Which rows of the vocabulary have a count."""
        return np.any(self._counts.table.counts, axis=1)

    def _column(self, label: Label, event: int) -> np.ndarray:
        """A counter of every row of the vocabulary, in messages."""
        table = self._counts.table
        return table.counts[:, 2 * self._counts.columns[label] + event] / UNIT

    def _term(self, row: int, text: str, weight: float) -> Term:
        """The term of a word, by its row in the table; less than 0 is none."""
        counts = self._counts.table.counts[row, 1::2].tolist() if row >= 0 else [0] * len(self.classes)
        in_messages = {label: counts[c] / UNIT for label, c in self._counts.columns.items()}
        return Term(text, "word", weight, in_messages)


def log(values: np.ndarray) -> np.ndarray:
    """Logarithms, -inf at 0, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def _difference(ours: float, theirs: float) -> float:
    """ours - theirs, 0.0 for equal infinities."""
    return 0.0 if ours == theirs else ours - theirs


def weighted_sum(counts: np.ndarray, logs: np.ndarray) -> float:
    """Sum of counts * logs, where 0 * -inf is 0."""
    used = counts != 0
    return math.fsum(counts[used] * logs[used])
