"""What every naive Bayes model here shares.

A generative model gives, for one message, the joint log-likelihood of each class: ``log P(y) + log P(x | y)``. The
label, the probabilities, the log-odds and log P(x) follow from these numbers in log space, so that a message of
100,000 words neither underflows nor saturates.
"""

from __future__ import annotations

import abc
import copy
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Self

from river import base

from stream_nb.types import Evidence, Label, LogLikelihood, Score, Term


def log_sum_exp(values: Iterable[float]) -> float:
    """The logarithm of a sum of exponentials, without overflow; -inf for no values or only -inf.

    >>> log_sum_exp([math.log(0.25), math.log(0.75)])
    0.0
    """
    values = list(values)
    top = max(values, default=-math.inf)
    if math.isinf(top):
        return top
    return top + math.log(math.fsum([math.exp(value - top) for value in values]))


def posterior(joint: dict[Label, float]) -> dict[Label, float]:
    """Class probabilities from joint log scores: exp(score - log_sum_exp(scores)); they sum to 1.

    When every class gives the message probability zero (smoothing 0), the quotient 0/0 says nothing and the
    classes share alike. When some class is certain (+inf), the certain classes share alike. No class: ``{}``.

    >>> posterior({"ham": math.log(0.03), "spam": math.log(0.01)})
    {'ham': 0.75, 'spam': 0.25}
    >>> posterior({"ham": -math.inf, "spam": -math.inf})
    {'ham': 0.5, 'spam': 0.5}
    """
    total = log_sum_exp(joint.values())
    if math.isinf(total):
        winners = [label for label, value in joint.items() if value == total]
        return {label: (label in winners) / len(winners) for label in joint}
    return {label: math.exp(value - total) for label, value in joint.items()}


def margin(scores: dict[Label, float], label: Label) -> float:
    """The score of `label` against the best other class; 0.0 where there is nothing to compare.

    >>> margin({"ham": -3.0, "spam": -1.0, "work": -2.0}, "spam")
    1.0
    """
    others = [value for other, value in scores.items() if other != label]
    if label not in scores or not others:
        return 0.0
    rival = max(others)
    return 0.0 if scores[label] == rival else scores[label] - rival


def best(scores: dict[Label, float]) -> Label | None:
    """The class with the greatest score, among equals the first by name; None without classes.

    >>> best({"work": 1.0, "spam": 2.0, "ham": 2.0})
    'ham'
    """
    return min(scores, key=lambda label: (-scores[label], str(label)), default=None)


def score_of(joint: dict[Label, float], positive: Label, known: int, unseen: int) -> Score:
    """What the joint log-likelihoods of a message say of the positive class; 0.0 and 0.5 with nothing to compare."""
    chance = posterior(joint)[positive] if positive in joint and len(joint) > 1 else 0.5
    return Score(best(joint), margin(joint, positive), chance, joint, known, unseen)


def evidence_of(
    joint: dict[Label, float], positive: Label, terms_of: Callable[[Label, Label], Iterable[Term]]
) -> Evidence:
    """The log-odds of `positive` (or, if it has not come, the best class) against the best other, as bias and terms.

    `terms_of` gives the terms of these two classes. Where one weighs infinitely much, nothing adds up, and the bias is
    0.0. Fewer than two classes have no evidence.
    """
    label = positive if positive in joint else best(joint)
    rival = best({other: value for other, value in joint.items() if other != label})
    if label is None or rival is None:
        return Evidence(0.0, 0.0, ())
    log_odds, terms = margin(joint, label), tuple(terms_of(label, rival))
    weights = [term.weight for term in terms]
    bias = log_odds - math.fsum(weights) if all(map(math.isfinite, weights)) else 0.0
    return Evidence(log_odds, bias, terms)


def log_likelihood_of(
    counts: Mapping[Label, float], log_priors: Mapping[Label, float], own: Callable[[Label], float]
) -> LogLikelihood:
    """The data log-likelihood from messages a class, log P(y), and log P(messages of y | y)."""
    of_labels = math.fsum(count * log_priors[label] for label, count in counts.items() if count)
    parts = {label: own(label) for label in counts}
    return LogLikelihood(of_labels + math.fsum(parts.values()), of_labels, parts)


class NaiveBayes(base.Classifier):
    """A classifier whose statistics are sums: what every model of this package can do.

    `unlearn_one` takes back exactly what `learn_one` added, `merge` adds the statistics of another model, and `==`
    compares statistics, whatever the order in which they came.
    """

    # river's labels may be bool and int, and its predictions take options: ours are names, and take none.

    @abc.abstractmethod
    def learn_one(self, x: Any, y: Label) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Add one message of class `y` to the statistics; a class not met before joins."""

    @abc.abstractmethod
    def unlearn_one(self, x: Any, y: Label) -> None:
        """Take one message of class `y` out again: the exact opposite of `learn_one`."""

    @abc.abstractmethod
    def merge(self, other: Any) -> None:
        """Add the statistics of `other`, a model of the same class, as if its messages had been learned here."""

    @abc.abstractmethod
    def unmerge(self, other: Any) -> None:
        """Take out the statistics of `other`, all of whose messages have been learned here: the exact opposite of
        `merge`."""

    @abc.abstractmethod
    def score(self, x: Any) -> Score:
        """What the model thinks of a message; changes no state."""

    @abc.abstractmethod
    def predict_proba_one(self, x: Any) -> dict[Label, float]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The probability of every class met so far; ``{}`` before the first."""

    @abc.abstractmethod
    def predict_one(self, x: Any) -> Label | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The class of a message; None before the first."""

    @abc.abstractmethod
    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The score of `positive` against the best other class; 0.0 without a rival."""

    @abc.abstractmethod
    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal settings."""

    __hash__ = None  # type: ignore[assignment]

    def options(self) -> dict[str, Any]:
        """The arguments that make an empty model like this one, by name."""
        return {name: getattr(self, name) for name in _arguments(type(self))}

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        return copy.deepcopy(self)

    def learn_many(self, xs: Iterable[Any], ys: Iterable[Label]) -> None:
        """Learn each pair in order; the same state as one by one. Raises ValueError when lengths differ."""
        for x, y in zip(xs, ys, strict=True):
            self.learn_one(x, y)

    def predict_many(self, xs: Iterable[Any]) -> list[Label | None]:
        """`predict_one` of each message."""
        return [self.predict_one(x) for x in xs]

    @property
    def _multiclass(self) -> bool:
        return True


@cache
def _arguments(model: type) -> tuple[str, ...]:
    return tuple(inspect.signature(model).parameters)


class GenerativeNB(NaiveBayes):
    """A model of P(x, y): subclasses give `joint_log_likelihood`, and every decision follows from it."""

    @abc.abstractmethod
    def joint_log_likelihood(self, x: Any) -> dict[Label, float]:
        """log P(y) + log P(x | y) of every class met so far; ``{}`` before the first. Changes no state."""

    def predict_proba_one(self, x: Any) -> dict[Label, float]:
        """P(y | x) of every class met so far (see `posterior`); ``{}`` before the first."""
        return posterior(self.joint_log_likelihood(x))

    def predict_one(self, x: Any) -> Label | None:
        """The class with the greatest joint log-likelihood, among equals the first by name; None before the first."""
        return best(self.joint_log_likelihood(x))

    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The joint log-likelihood of `positive` less the greatest other; 0.0 without a rival."""
        return margin(self.joint_log_likelihood(x), positive)

    def log_likelihood_one(self, x: Any) -> float:
        """log P(x), the log_sum_exp of the joint log-likelihoods; -inf for a model without classes."""
        return log_sum_exp(self.joint_log_likelihood(x).values())
