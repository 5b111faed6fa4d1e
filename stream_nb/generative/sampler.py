"""Samples messages from a trained model: first the class from P(y), then the message from P(x | y).

The model is treated as the true distribution. A learner trained on the samples must recover its parameters.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from stream_nb.mixed import MixedNB
from stream_nb.parameter import checked_number, checked_whole
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.text.base import TextNB
from stream_nb.text.bernoulli import BernoulliNB
from stream_nb.text.multinomial import MultinomialNB
from stream_nb.types import ClassName, Label

_MOST_WORDS = 1e9


class Sampler:
    """Draws (message, label) pairs from a trained model, which must not change meanwhile.

    `model` is a MultinomialNB (messages are dicts of word counts), a BernoulliNB (messages are dicts of the words
    present, with count 1; each word of the vocabulary is drawn independently, and `length` is ignored), a CategoricalNB
    or GaussianNB (messages are dicts of values, without features that the model ignores), or a MixedNB (all of these,
    with the words under its text key). Its smoothing and prior apply. The multinomial model does not model the length
    of a mail: it is drawn from a Poisson distribution with mean `length` words, 0 to 1e9, in every class. The generator
    passed to `draw` is the only source of randomness. Raises ValueError for a model without classes, or with a prior
    that gives none of them a share, or of another type.

    >>> truth = GaussianNB()
    >>> for x, y in [(0.0, "ham"), (2.0, "ham"), (9.0, "spam"), (11.0, "spam")]:
    ...     truth.learn_one({"x": x}, y)
    >>> sampler = Sampler(truth)
    >>> rng = np.random.default_rng(1)
    >>> learner = GaussianNB()
    >>> for x, y in sampler.draw(rng, 2000):
    ...     learner.learn_one(x, y)
    >>> round(learner.statistics.get("x", "spam").mean), round(learner.statistics.get("x", "spam").variance, 1)
    (10, 1.0)
    """

    def __init__(self, model: Any, length: float = 100.0) -> None:
        self.length = checked_number("length", length, 0.0, _MOST_WORDS)
        if not isinstance(model, TextNB | CategoricalNB | GaussianNB | MixedNB):
            raise ValueError(f"cannot draw from {type(model).__name__}: give a textbook model other than BinnedNB")
        priors = model.log_priors()
        if not priors:
            raise ValueError("the model has no classes: train it before drawing from it")
        if max(priors.values()) == -math.inf:
            raise ValueError(f"the prior gives no share to a class of the model; the classes are {list(priors)}")
        self._labels = list(priors)
        self._shares = _normalised(math.exp(value) for value in priors.values())
        self._draw_message = self._drawer(model)

    def draw(self, rng: np.random.Generator, n: int) -> Iterator[tuple[dict[Any, Any], ClassName]]:
        """Yield n messages, 0 or more, with their labels."""
        if not isinstance(rng, np.random.Generator):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"rng is {rng!r:.60}: give a generator, as numpy.random.default_rng(0) returns")
        for _ in range(checked_whole("n", n, 0)):
            label = self._labels[rng.choice(len(self._labels), p=self._shares)]
            yield self._draw_message(rng, label), label

    def _drawer(self, model: Any):
        if isinstance(model, MultinomialNB):
            return self._words(model)
        if isinstance(model, BernoulliNB):
            return self._presence(model)
        if isinstance(model, CategoricalNB):
            return self._categories(model)
        if isinstance(model, GaussianNB):
            return self._numbers(model)
        parts = (self._categories(model.categories), self._numbers(model.numbers))
        words = self._drawer(model.words) if model.words.words else None

        def draw(rng: np.random.Generator, label: Label) -> dict[str, Any]:
            x = {} if words is None else {model.text: words(rng, label)}
            for part in parts:
                x |= part(rng, label)
            return x

        return draw

    def _words(self, model: MultinomialNB):
        words, probabilities = self._vocabulary(model)
        shares = {label: _normalised(own) for label, own in probabilities.items() if own.any()}

        def draw(rng: np.random.Generator, label: Label) -> dict[str, int]:
            if label not in shares:  # because no message of the class has words
                return {}
            counts = rng.multinomial(rng.poisson(self.length), shares[label])
            return {words[i]: int(counts[i]) for i in np.flatnonzero(counts)}

        return draw

    def _presence(self, model: BernoulliNB):
        words, probabilities = self._vocabulary(model)

        def draw(rng: np.random.Generator, label: Label) -> dict[str, int]:
            return {words[i]: 1 for i in np.flatnonzero(rng.random(len(words)) < probabilities[label])}

        return draw

    def _vocabulary(self, model: TextNB) -> tuple[list[str], dict[ClassName, np.ndarray]]:
        """The words in alphabetical order, and for each class P(word | y) of each word."""
        pairs = {label: sorted(model.top_words(label, model.words)) for label in self._labels}
        words = [word for word, _ in next(iter(pairs.values()))]
        return words, {label: np.array([p for _, p in own]) for label, own in pairs.items()}

    def _categories(self, model: CategoricalNB):
        tables: dict[ClassName, list[tuple[Hashable, list[Any], np.ndarray]]] = {label: [] for label in self._labels}
        for feature in model.features:
            values = model.values(feature)
            probabilities = [model.value_probabilities(feature, value) for value in values]
            for label in self._labels:
                tables[label].append((feature, values, _normalised(p[label] for p in probabilities)))

        def draw(rng: np.random.Generator, label: Label) -> dict[Hashable, Any]:
            return {feature: values[rng.choice(len(values), p=p)] for feature, values, p in tables[label]}

        return draw

    def _numbers(self, model: GaussianNB):
        normals = {feature: model.normals(feature) for feature in model.features}

        def draw(rng: np.random.Generator, label: Label) -> dict[Hashable, float]:
            return {
                feature: float(rng.normal(by_class[label].mean, by_class[label].std))
                for feature, by_class in normals.items()
                if by_class
            }

        return draw


def as_mail(counts: dict[str, int], rng: np.random.Generator) -> bytes:
    """Return a drawn message of word counts as a plain-text mail, with its words in random order and the first five as
    the subject."""
    words = [word for word, count in counts.items() for _ in range(count)]
    order: list[str] = [words[i] for i in rng.permutation(len(words))]
    subject = " ".join(order[:5]).replace("\r", " ").replace("\n", " ")
    body = "\r\n".join(" ".join(order[i : i + 12]) for i in range(5, len(order), 12))
    head = f"Subject: {subject}\r\nContent-Type: text/plain; charset=utf-8"
    return f"{head}\r\n\r\n{body}\r\n".encode("utf-8", "replace")


def _normalised(shares: Any) -> np.ndarray:
    shares = np.array(list(shares), float)
    return shares / shares.sum()
