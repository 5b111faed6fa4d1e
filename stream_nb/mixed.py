"""Words, categories and numbers in one model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Self

import numpy as np

from stream_nb import prior as priors
from stream_nb import snapshot
from stream_nb.errors import SnapshotError
from stream_nb.posterior import score_of
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.tabular.mapping_model import MappingNB
from stream_nb.text.base import TextNB
from stream_nb.text.bernoulli import BernoulliNB
from stream_nb.text.multinomial import MultinomialNB
from stream_nb.types import ClassName, Label, Score, Term

_CATEGORIES = (str, bool, np.bool_, type(None))
"""The types of categories: a constant, because to write them as a union at the check takes longer than the check."""
_WORD_MODELS = {"MultinomialNB": MultinomialNB, "BernoulliNB": BernoulliNB}


class MixedNB(MappingNB):
    """Naive Bayes over messages that have text, categories and numbers.

        log P(x, y) = log P(y) + log P(words | y) + log P(categories | y) + log p(numbers | y)

    The parts are assumed independent given the class, so their log-likelihoods add up. A message is a dict. The value
    of the key `text` (str, bytes, `Mail`, tokens or word counts) goes to the model of words; other numbers go to the
    Gaussian model; other strings, booleans and None go to the categorical model. Missing features, and a text of None,
    are ignored. On mail, numbers at full weight do harm far more often than they help: measure first (`stream-nb study
    gaussian`). An empty model predicts None and ``{}``.

    Args:
        words: The model of the text, a `MultinomialNB` or `BernoulliNB` with prior ``uniform``, because P(y) is counted
            here; None for a new one. The other options of the three models may be set on them at any time.
        categories: The model of the categories; None for a new one.
        numbers: The model of the numbers; None for a new one.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        text: The key of a message's text.
        positive: The class of log-odds and probability.

    Raises:
        ValueError: A part is of another class, `words` has another prior than ``uniform``, or `prior` is invalid.

    >>> model = MixedNB()
    >>> model.learn_one({"text": "cheap pills", "lines": 3, "format": "html"}, "spam")
    >>> model.learn_one({"text": "see you at noon", "lines": 9, "format": "plain"}, "ham")
    >>> model.predict_one({"text": "pills at noon", "lines": 3.5, "format": "html"})
    'spam'
    >>> sorted(model.parts({"text": "cheap", "lines": 4}))
    ['categories', 'numbers', 'words']

    Source: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 6.6.3.
    """

    def __init__(
        self,
        words: TextNB | None = None,
        categories: CategoricalNB | None = None,
        numbers: GaussianNB | None = None,
        prior: priors.Prior = "learned",
        text: str = "text",
        positive: Label = "spam",
    ) -> None:
        self.words: TextNB = MultinomialNB(prior="uniform") if words is None else words
        self.categories = CategoricalNB() if categories is None else categories
        self.numbers = GaussianNB() if numbers is None else numbers
        self.prior = prior
        self.text = text
        self.positive = positive
        self._check_words()
        if type(self.categories) is not CategoricalNB:
            raise ValueError(f"categories is a {type(self.categories).__name__}: give a CategoricalNB")
        if type(self.numbers) is not GaussianNB:
            raise ValueError(f"numbers is a {type(self.numbers).__name__}: give a GaussianNB")

    @property
    def class_counts(self) -> dict[ClassName, float]:
        """Number of messages of each class."""
        return self.categories.class_counts

    def _check_words(self) -> None:
        """Raise ValueError for an unsuitable model of the words; its prior may have been set since construction."""
        if type(self.words).__name__ not in _WORD_MODELS or self.words.prior != "uniform":
            raise ValueError(
                f"words is {self.words!r}: give a MultinomialNB or BernoulliNB with prior='uniform'; "
                "the class prior is counted once, by the mixed model"
            )

    def _split(self, x: Mapping[str, Any]) -> tuple[Any, dict[Any, Any], dict[Any, Any]]:
        categories: dict[Any, Any] = {}
        numbers: dict[Any, Any] = {}
        for feature, value in self._items(x):
            if feature == self.text:
                continue
            is_category = isinstance(value, _CATEGORIES)
            (categories if is_category else numbers)[feature] = value
        text = x.get(self.text)
        return "" if text is None else text, categories, numbers

    def learn_one(self, x: Mapping[str, Any], y: Label) -> None:
        """Add one message of class `y`. Raises ValueError or TypeError, and learns nothing, for an invalid value."""
        words, categories, numbers = self._split(x)
        with ExitStack() as undo:
            self.words.learn_one(words, y)
            undo.callback(self.words.unlearn_one, words, y)
            self.numbers.learn_one(numbers, y)
            undo.callback(self.numbers.unlearn_one, numbers, y)
            self.categories.learn_one(categories, y)
            undo.pop_all()

    def unlearn_one(self, x: Mapping[str, Any], y: Label) -> None:
        """Remove a learned message of class `y`: the exact inverse of `learn_one`. Changes nothing if it raises:
        ValueError for categories or numbers that were not learned, TypeError for an invalid text."""
        words, categories, numbers = self._split(x)
        with ExitStack() as undo:
            self.categories.unlearn_one(categories, y)
            undo.callback(self.categories.learn_one, categories, y)
            self.numbers.unlearn_one(numbers, y)
            undo.callback(self.numbers.learn_one, numbers, y)
            self.words.unlearn_one(words, y)
            undo.pop_all()

    def merge(self, other: Self) -> None:
        """Add the statistics of another model. Raises ValueError if its words have another hash key."""
        self.words.merge(self._of_this_class(other).words)
        self.categories.merge(other.categories)
        self.numbers.merge(other.numbers)

    def unmerge(self, other: Self) -> None:
        """Subtract what `merge` added. Raises ValueError, and changes nothing, if it was not added here."""
        with ExitStack() as undo:
            self.words.unmerge(self._of_this_class(other).words)
            undo.callback(self.words.merge, other.words)
            self.numbers.unmerge(other.numbers)
            undo.callback(self.numbers.merge, other.numbers)
            self.categories.unmerge(other.categories)
            undo.pop_all()

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, rounded to 1/256 of a message. Raises ValueError unless it is 0 to 1.

        Args:
            factor: From 0 (forget everything) to 1 (forget nothing).
        """
        self.words.decay(factor)
        self.categories.decay(factor)
        self.numbers.decay(factor)

    def copy(self) -> Self:
        """An independent copy of the model."""
        options = self.options()
        options |= {"words": self.words.copy(), "categories": self.categories.copy(), "numbers": self.numbers.copy()}
        return type(self)(**options)

    def parts(self, x: Mapping[str, Any]) -> dict[str, dict[ClassName, float]]:
        """log P(words | y), log P(categories | y) and log p(numbers | y) of every class.

        Args:
            x: A message.
        """
        self._check_words()
        words, categories, numbers = self._split(x)
        joint = self.words.joint_log_likelihood(words)
        log_classes = math.log(len(joint)) if joint else 0.0  # takes the uniform prior out of the joint log-likelihood
        return {
            "words": {label: joint.get(label, -log_classes) + log_classes for label in self.class_counts},
            "categories": self.categories.log_likelihoods(categories),
            "numbers": self.numbers.log_likelihoods(numbers),
        }

    def joint_log_likelihood(self, x: Mapping[str, Any]) -> dict[ClassName, float]:
        """log P(y) plus the `parts` of every class; ``{}`` for an empty model."""
        if self._leaves_unread(x):
            return {}
        parts = self.parts(x)
        return {
            label: log_prior + parts["words"][label] + parts["categories"][label] + parts["numbers"][label]
            for label, log_prior in self.log_priors().items()
        }

    def score(self, x: Mapping[str, Any]) -> Score:
        """Score a message: joint log-likelihoods, posterior of `positive`, numbers of known and unseen words and
        features."""
        words, categories, numbers = self._split(x)
        of_words = self.words.score(words)
        known = of_words.known + self.categories.known(categories) + self.numbers.known(numbers)
        features = of_words.known + of_words.unseen + len(categories) + len(numbers)
        return score_of(self.joint_log_likelihood(x), self.positive, known, features - known)

    def terms(self, x: Mapping[str, Any], label: Label, rival: Label) -> list[Term]:
        """Each known word's and feature's contribution to the log-odds of two classes, strongest first."""
        words, categories, numbers = self._split(x)
        terms = self.words.terms(words, label, rival) + self.categories.terms(categories, label, rival)
        terms += self.numbers.terms(numbers, label, rival)
        return sorted(terms, key=lambda term: (-abs(term.weight), term.text))

    def class_log_likelihood(self, label: Label) -> float:
        """See `MappingNB.class_log_likelihood`."""
        features = self.categories.class_log_likelihood(label) + self.numbers.class_log_likelihood(label)
        return self.words.log_likelihood().classes[label] + features

    def to_bytes(self) -> bytes:
        """A snapshot of the whole model; equal models give equal bytes. Raises TypeError for a label that JSON cannot
        store."""
        parts = {"words": self.words, "categories": self.categories, "numbers": self.numbers}
        arrays = {name: np.frombuffer(part.to_bytes(), np.uint8) for name, part in parts.items()}
        options = snapshot.options_state({"prior": self.prior, "text": self.text, "positive": self.positive})
        return snapshot.pack(type(self).__name__, {**options, "words": type(self.words).__name__}, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Restore a model from the result of `to_bytes`. Raises SnapshotError if the bytes are damaged or of another
        kind.

        Args:
            data: The result of `to_bytes`.
        """
        values, arrays = snapshot.unpack(data, cls.__name__)
        try:
            options = {name: values[name] for name in ("prior", "text", "positive")}
            return cls(
                words=_WORD_MODELS[values["words"]].from_bytes(arrays["words"].tobytes()),
                categories=CategoricalNB.from_bytes(arrays["categories"].tobytes()),
                numbers=GaussianNB.from_bytes(arrays["numbers"].tobytes()),
                **snapshot.options_of(options),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a {cls.__name__} with invalid content: {error}") from error

    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal options."""
        return type(other) is type(self) and self.options() == other.options()
