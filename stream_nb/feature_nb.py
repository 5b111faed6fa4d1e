"""What the models over named features share: one statistic for each feature and class, and the laws of
learning."""

from __future__ import annotations

import abc
import functools
import math
from collections.abc import Hashable, Mapping
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np

from stream_nb import prior, snapshot
from stream_nb.base import NaiveBayes, evidence_of, log_likelihood_of, score_of
from stream_nb.errors import SnapshotError
from stream_nb.kernels import UNIT
from stream_nb.moments import round_product
from stream_nb.types import Evidence, Label, LogLikelihood, Score, Term


class Statistic(Protocol):
    """Sums over the values of one feature in one class."""

    @property
    def empty(self) -> bool: ...
    @property
    def n(self) -> float: ...
    def add(self, value: Any) -> None: ...
    def remove(self, value: Any) -> None: ...
    def merge(self, other: Any) -> None: ...
    def decay(self, factor: float) -> None: ...
    def state(self) -> Any: ...


S = TypeVar("S", bound=Statistic)


class FeatureNB(NaiveBayes, Generic[S]):
    """Naive Bayes over a dict of named features: log P(y) plus one term a feature, from one statistic a
    class.

    The state is a message count for each class and a statistic for each feature and class; features may be
    missing from a message (they are then left out, in learning and in reading) and may come at any time.
    Equal states give equal bytes and, classes being kept in a fixed order, equal decisions.
    """

    _READING: tuple[str, ...] = ("prior", "positive")
    _Statistic: type[S]
    _KIND: str

    def __init__(self, prior_: prior.Prior, positive: Label) -> None:
        self.prior = prior.checked(prior_)
        self.positive = positive
        self._units: dict[Label, int] = {}
        self._features: dict[Hashable, dict[Label, S]] = {}

    @abc.abstractmethod
    def feature_log_likelihoods(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """log P(value | y) for every class, or ``{}`` when the feature says nothing."""

    @abc.abstractmethod
    def _check(self, feature: Hashable, value: Any) -> Any:
        """The value as the statistic takes it. Raises ValueError or TypeError naming the feature."""

    @abc.abstractmethod
    def _met(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """How many messages of each class stand behind what a value of a feature met says."""

    @abc.abstractmethod
    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        """log P(all values of the feature in the class | y)."""

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that have messages, in a fixed order."""
        return tuple(self._units)

    @property
    def class_counts(self) -> dict[Label, float]:
        """Messages a class."""
        return {label: units / UNIT for label, units in self._units.items()}

    @property
    def features(self) -> tuple[Hashable, ...]:
        """The features that have values."""
        return tuple(self._features)

    def statistic(self, feature: Hashable, label: Label) -> S | None:
        """What has been counted of a feature in a class (not a copy: do not change it); None for nothing."""
        return self._features.get(feature, {}).get(label)

    # Learning

    def learn_one(self, x: Mapping[Hashable, Any], y: Label) -> None:
        """Add one message of class `y`.

        Raises ValueError or TypeError, and learns nothing, when a value is not what the model takes.
        """
        values = [(feature, self._check(feature, value)) for feature, value in x.items()]
        y = y.item() if isinstance(y, np.generic) else y
        if y not in self._units:
            self._units[y] = 0
            self._units = dict(sorted(self._units.items(), key=_by_label))
        self._units[y] += UNIT
        for feature, value in values:
            by_class = self._features.setdefault(feature, {})
            if y not in by_class:
                by_class[y] = self._Statistic()
            by_class[y].add(value)

    def unlearn_one(self, x: Mapping[Hashable, Any], y: Label) -> None:
        """Take a learned message out again, exactly.

        Raises ValueError, and changes nothing, when the class or one of the features has nothing to take
        back.
        """
        values = [(feature, self._check(feature, value)) for feature, value in x.items()]
        if self._units.get(y, 0) < UNIT:
            raise ValueError(f"class {y!r} has no message to take back; the classes are {list(self._units)}")
        done = []
        try:
            for feature, value in values:
                statistic = self.statistic(feature, y)
                if statistic is None:
                    raise ValueError("nothing is held")
                statistic.remove(value)
                done.append((statistic, value))
        except ValueError as error:
            for statistic, value in done:
                statistic.add(value)
            raise ValueError(f"feature {feature!r} of class {y!r} was not learned so: {error}") from error
        self._units[y] -= UNIT
        self._forget_empty()

    def merge(self, other: Self) -> None:
        """Add the statistics of another model, as if its messages had been learned here."""
        for label, units in other._units.items():
            self._units[label] = self._units.get(label, 0) + units
        self._units = dict(sorted(self._units.items(), key=_by_label))
        for feature, by_class in other._features.items():
            own = self._features.setdefault(feature, {})
            for label, statistic in by_class.items():
                if label not in own:
                    own[label] = self._Statistic()
                own[label].merge(statistic)

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, 0 to 1, rounded to 1/256 of a message. Raises ValueError outside.

        A message learned before a decay cannot be unlearned exactly after it.
        """
        if not 0.0 <= factor <= 1.0:
            raise ValueError(f"decay factor is {factor!r}: give a number from 0 (forget all) to 1 (nothing)")
        self._units = {label: round_product(units, factor) for label, units in self._units.items()}
        for by_class in self._features.values():
            for statistic in by_class.values():
                statistic.decay(factor)
        self._forget_empty()

    def _forget_empty(self) -> None:
        self._units = {label: units for label, units in self._units.items() if units}
        for feature in list(self._features):
            by_class = self._features[feature]
            for label in [label for label, statistic in by_class.items() if statistic.empty]:
                del by_class[label]
            if not by_class:
                del self._features[feature]

    # Reading

    def log_likelihoods(self, x: Mapping[Hashable, Any]) -> dict[Label, float]:
        """log P(x | y) of every class: the sum of its features' terms, in any order the same bits."""
        terms: dict[Label, list[float]] = {label: [] for label in self._units}
        for feature, value in x.items():
            for label, term in self.feature_log_likelihoods(feature, self._check(feature, value)).items():
                terms[label].append(term)
        return {label: math.fsum(parts) if -math.inf not in parts else -math.inf for label, parts in terms.items()}

    def log_priors(self) -> dict[Label, float]:
        """log P(y) of every class, by the rule `prior`."""
        return prior.log_priors(self.prior, self.class_counts)

    def joint_log_scores(self, x: Mapping[Hashable, Any]) -> dict[Label, float]:
        """log P(y) + log P(x | y) of every class; ``{}`` before the first."""
        priors = self.log_priors()
        return {label: priors[label] + value for label, value in self.log_likelihoods(x).items()}

    def score(self, x: Mapping[Hashable, Any]) -> Score:
        """The joint log scores, the posterior of `positive`, and how many features had been met and how many not."""
        known = sum(feature in self._features for feature in x)
        return score_of(self.joint_log_scores(x), self.positive, known, len(x) - known)

    def evidence(self, x: Mapping[Hashable, Any]) -> Evidence:
        """Bias (of the prior) and one term a feature that add up to the log-odds of the positive class (or, if it has
        not come, the best) against the best other; the strongest first. Row L4.

        A value that is impossible in one class weighs infinitely much; where one does, nothing adds up, and the bias is
        0.0. Fewer than two classes have no evidence.
        """
        return evidence_of(self.joint_log_scores(x), self.positive, functools.partial(self.terms, x))

    def terms(self, x: Mapping[Hashable, Any], label: Label, rival: Label) -> list[Term]:
        """What each feature adds to the log-odds of two classes, the strongest first; those that say nothing are left
        out."""
        terms = []
        for feature, value in x.items():
            checked = self._check(feature, value)
            of_class = self.feature_log_likelihoods(feature, checked)
            if of_class:
                weight = of_class[label] - of_class[rival] if of_class[label] != of_class[rival] else 0.0
                terms.append(Term(f"{feature} = {value}", self._KIND, weight, self._met(feature, checked)))
        return sorted(terms, key=lambda term: (-abs(term.weight), term.text))

    def log_likelihood(self) -> LogLikelihood:
        """How probable the model finds all it has learned, in its parts, which add up. Row E7."""
        return log_likelihood_of(self.class_counts, self.log_priors(), self.class_log_likelihood)

    def class_log_likelihood(self, label: Label) -> float:
        """log P(all messages of the class | y)."""
        return math.fsum(self._own_log_likelihood(feature, label) for feature in self._features)

    # State

    def to_bytes(self) -> bytes:
        """The whole model; equal models give equal bytes. Raises TypeError for a label or feature beyond
        JSON."""
        features = [
            [feature, label, statistic.state()]
            for feature, by_class in sorted(self._features.items(), key=_by_label)
            for label, statistic in sorted(by_class.items(), key=_by_label)
        ]
        values = {"options": self._options(), "classes": list(self._units.items()), "features": features}
        return snapshot.pack(type(self).__name__, values, {})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The model that `to_bytes` gave. Raises SnapshotError when the bytes are damaged or something
        else."""
        values, _ = snapshot.unpack(data, cls.__name__)
        try:
            model = cls(**values["options"])
            model._units = {label: units for label, units in values["classes"]}
            for feature, label, state in values["features"]:
                model._features.setdefault(feature, {})[label] = cls._Statistic.from_state(state)
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a {cls.__name__} that makes no model: {error}") from error
        return model

    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal options."""
        return (
            type(other) is type(self)
            and self._options() == other._options()
            and self._units == other._units
            and self._features == other._features
        )

    __hash__ = None  # type: ignore[assignment]

    def _options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._READING}


def _by_label(pair: tuple[Any, Any]) -> tuple[str, str]:
    return type(pair[0]).__name__, str(pair[0])
