"""Interpretation of a model of words: bias and weights, evidence, the words of a class, the likelihood."""

from __future__ import annotations

import abc
import math
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from stream_nb import parameter
from stream_nb.features.model import CountingNB
from stream_nb.joint import GenerativeNB
from stream_nb.kernels.layout import UNIT, TextTotal
from stream_nb.posterior import log_likelihood_of
from stream_nb.text.statistics import WordStatistics
from stream_nb.types import ClassName, Label, LogLikelihood, Mail, Term

ALL = slice(None)
"""All rows of the vocabulary."""


class Linear(NamedTuple):
    """Log-odds as a linear function: `bias` plus the sum of weights[word] * x[word] over the known words of the mail
    x. Words never seen have no weight, even if the model does not ignore them (`unseen="smooth"`)."""

    bias: float
    weights: dict[str, float]


class InterpretableNB(CountingNB[WordStatistics], GenerativeNB):
    """Methods that explain a model over `WordStatistics` word by word. Subclasses implement the weights."""

    smoothing = parameter.smoothing()

    @property
    @abc.abstractmethod
    def words(self) -> int:
        """V: number of distinct words with a count."""

    @abc.abstractmethod
    def _explain(self, x: Any) -> tuple[dict[ClassName, float], np.ndarray]:
        """The joint log-likelihoods, and float64[words, classes]: each word's contribution to them."""

    @abc.abstractmethod
    def log_priors(self) -> dict[ClassName, float]:
        """log P(y) of each class."""

    @abc.abstractmethod
    def _linear_parts(self, label: Label) -> tuple[float, np.ndarray]:
        """log P(x | y) as a constant and one weight per row of the vocabulary."""

    @abc.abstractmethod
    def _word_log_probabilities(self, label: Label, rows: slice = ALL) -> np.ndarray:
        """log P(word | y) of these rows of the vocabulary."""

    @abc.abstractmethod
    def _own_log_likelihood(self, label: Label) -> float:
        """log P(words of the class's messages | y)."""

    def terms(self, x: Any, label: Label, rival: Label) -> list[Term]:
        """Each known word's contribution to the log-odds of two classes, strongest first."""
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

    def word_probabilities(self, word: str | list[str] | Mail) -> dict[ClassName, float]:
        """P(word | class) of one word for each class; ``{}`` if the word has never been seen.

        Args:
            word: A token (lower case, as tokens of texts are); or a message of one word, for example in its subject.
        """
        found = self._counts.find([word] if isinstance(word, str) else word)
        row = int(found.row_ids[0]) if found.n else -1
        if row < 0 or not self._counts.table.counts[row].any():
            return {}
        rows = slice(row, row + 1)
        return {label: math.exp(self._word_log_probabilities(label, rows)[0]) for label in self.classes}

    def top_words(self, label: Label, n: int = 10) -> list[tuple[str, float]]:
        """The n most probable words of a class, with P(word | class).

        Args:
            label: A class.
            n: Maximum number of words, 0 or more.

        Raises:
            KeyError: The class is unknown.
            ValueError: `n` is no whole number of 0 or more.
        """
        most = min(parameter.checked_whole("n", n, 0), self.words)
        probabilities = np.where(self._counted(), np.exp(self._word_log_probabilities(label)), -1.0)
        rows = np.lexsort((self._counts.table.keys, -probabilities))[:most]
        return [(self._counts.table.text_of(int(row)), float(probabilities[row])) for row in rows]

    def strongest(self, label: Label, n: int = 20, keep: Callable[[str], bool] = lambda text: True) -> tuple[Term, ...]:
        """The n words that favour a class most, strongest first.

        The weight is log P(word | label) minus the greatest log P(word | other class). Only words of the class with
        a positive weight are returned; none if there is no other class.

        Args:
            label: The class.
            n: Maximum number of words, 0 or more.
            keep: Called with the text of a word; False skips the word.

        Raises:
            KeyError: The class is unknown.
            ValueError: `n` is no whole number of 0 or more.
        """
        others = [self._word_log_probabilities(other) for other in self.classes if other != label]
        own = self._word_log_probabilities(label)
        return self._strongest(label, own, np.max(others, axis=0), n, keep) if others else ()

    def strongest_by_class(self, n: int, keep: Callable[[str], bool]) -> dict[ClassName, tuple[Term, ...]]:
        """`strongest` of each class; with many classes, this is faster than a call for each.

        Args:
            n: Maximum number of words per class, 0 or more.
            keep: Called with the text of a word; False skips the word.
        """
        if len(self.classes) < 2:
            return dict.fromkeys(self.classes, ())
        best = second = np.array(-math.inf)
        for label in self.classes:
            own = self._word_log_probabilities(label)
            best, second = np.maximum(best, own), np.maximum(second, np.minimum(best, own))
        found: dict[ClassName, tuple[Term, ...]] = {}
        for label in self.classes:
            own = self._word_log_probabilities(label)
            found[label] = self._strongest(label, own, np.where(own < best, best, second), n, keep)
        return found

    def _strongest(
        self, label: Label, own: np.ndarray, others: np.ndarray, n: int, keep: Callable[[str], bool]
    ) -> tuple[Term, ...]:
        """The strongest words, by log P(word | y) in the class, and the greatest in another class, of each row."""
        most = parameter.checked_whole("n", n, 0)
        with np.errstate(invalid="ignore"):
            weights = np.nan_to_num(own - others, nan=0.0, posinf=math.inf, neginf=-math.inf)
        # In a class of few messages, smoothing alone gives words of other classes a weight above 0.
        rows = np.flatnonzero((self._column(label, TextTotal.MESSAGE) > 0.0) & (weights > 0.0))
        ranked = rows[np.lexsort((self._counts.table.keys[rows], -weights[rows]))].tolist()
        kept = ((row, text) for row in ranked if keep(text := self._counts.table.text_of(row)))
        return tuple(self._term(row, text, float(weights[row])) for row, text in islice(kept, most))

    def linear(self, positive: Label, rival: Label) -> Linear:
        """The log-odds of two classes as bias and weights, linear in the counts of words, or in 0 and 1 for presence.

        With smoothing 0, a word that only one of the classes contains weighs inf or -inf, a word that neither contains
        weighs 0.

        Args:
            positive: A class.
            rival: The class to compare it with.

        Raises:
            KeyError: A class is unknown.
            ValueError: With smoothing 0, `BernoulliNB` only: a word occurs in every message of a class.
        """
        priors = self.log_priors()
        (bias, log_weights), (rival_bias, rival_log_weights) = self._linear_parts(positive), self._linear_parts(rival)
        if not math.isfinite(bias) or not math.isfinite(rival_bias):
            raise ValueError(
                f"with smoothing {self.smoothing!r} a word is in every message of {positive!r} or {rival!r}, and its "
                "absence has no finite weight: set smoothing above 0"
            )
        weights = {
            self._counts.table.text_of(int(row)): _difference(float(log_weights[row]), float(rival_log_weights[row]))
            for row in np.flatnonzero(self._counted())
        }
        return Linear(_difference(priors[positive], priors[rival]) + bias - rival_bias, weights)

    def log_likelihood(self) -> LogLikelihood:
        """The log-likelihood of all learned messages and labels under the model."""
        return log_likelihood_of(self._counts.messages(), self.log_priors(), self._own_log_likelihood)

    def _counted(self) -> np.ndarray:
        """bool[rows]: whether each row of the vocabulary has a count."""
        return np.any(self._counts.table.counts, axis=1)

    def _column(self, label: Label, event: int, rows: slice = ALL) -> np.ndarray:
        """One counter of these rows of the vocabulary, in messages; one below 0 reads as 0, as in scores."""
        table = self._counts.table
        return np.maximum(table.counts[rows, 2 * self._counts.known_column(label) + event], 0) / UNIT

    def _term(self, row: int, text: str, weight: float) -> Term:
        """The term of a word. `row` is its row in the table, negative if it has none."""
        counts = self._counts.table.counts[row, 1::2].tolist() if row >= 0 else [0] * len(self.classes)
        messages = {label: counts[c] / UNIT for label, c in self._counts.columns.items()}
        return Term(text, "word", weight, messages)


def log(values: np.ndarray) -> np.ndarray:
    """Logarithms, -inf at 0, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def _difference(a: float, b: float) -> float:
    """a - b; 0.0 for equal infinities."""
    return 0.0 if a == b else a - b


def weighted_sum(counts: np.ndarray, logs: np.ndarray) -> float:
    """Sum of counts * logs, where 0 * -inf is 0."""
    used = counts != 0
    return math.fsum(counts[used] * logs[used])
