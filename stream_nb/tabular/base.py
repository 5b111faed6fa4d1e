"""The base class of models over named features, which keep one sum per feature and class."""

from __future__ import annotations

import abc
import math
from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

from stream_nb import prior as priors
from stream_nb import snapshot
from stream_nb.errors import SnapshotError
from stream_nb.features.class_counts import checked_label
from stream_nb.posterior import score_of
from stream_nb.tabular.feature_text import feature_text
from stream_nb.tabular.mapping_model import MappingNB
from stream_nb.tabular.statistics import FeatureStatistics, FeatureSum
from stream_nb.types import ClassName, Label, Score, Term

S = TypeVar("S", bound=FeatureSum)
Values = list[tuple[Hashable, Any]]
"""Features with their values, in the form that the statistics store."""


class FeatureNB(MappingNB, Generic[S]):
    """Naive Bayes over a dict of named features: log P(y) plus one term per feature.

    The state is the number of messages of each class and one sum per feature and class. New features may appear at any
    time. A feature that is missing from a message is ignored, in learning and in prediction. Classes are kept in a
    fixed order, so equal states give equal bytes and equal predictions.
    """

    SUM: ClassVar[type[Any]]
    """The type of the sum of a feature in a class."""
    KIND: ClassVar[str]
    """The `kind` of the terms of `evidence`: "category" or "number"."""

    def __init__(self, prior: priors.Prior, positive: Label) -> None:
        self.prior = prior
        self.positive = positive
        self.attach(FeatureStatistics(self.SUM))

    @abc.abstractmethod
    def feature_log_likelihoods(self, feature: Hashable, value: Any) -> dict[ClassName, float]:
        """log P(value | y) for every class; ``{}`` if the feature is unknown or uninformative.

        Args:
            feature: Name of the feature.
            value: A value in the form that the statistics store.
        """

    @abc.abstractmethod
    def _check(self, feature: Hashable, value: Any) -> Any:
        """The value in the form that the sum stores. Raises ValueError or TypeError if it is invalid."""

    @property
    def statistics(self) -> FeatureStatistics[S]:
        """The counts, to be read only; the model alone changes them."""
        return self._statistics

    @abc.abstractmethod
    def _support(self, feature: Hashable, value: Any) -> dict[ClassName, float]:
        """The messages of each class that support the log-likelihood of this value of a known feature."""

    def _normals(self, feature: Hashable) -> dict[ClassName, tuple[float, float]] | None:
        """Mean and standard deviation of a number in each class that has values; None if it is not a number."""
        return None

    @abc.abstractmethod
    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        """log P(all values of the feature in the class | y)."""

    @property
    def class_counts(self) -> dict[ClassName, float]:
        """Number of messages of each class, in a fixed order of classes."""
        return self._statistics.messages

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes that have messages, in a fixed order."""
        return tuple(self._statistics.units)

    @property
    def features(self) -> tuple[Hashable, ...]:
        """The names of the features that have values."""
        return tuple(self._statistics.features)

    # Learning

    def learn_one(self, x: Mapping[Any, Any], y: Label) -> None:
        """Add one message of class `y`.

        Raises:
            ValueError, TypeError: A value is invalid; nothing has been learned.
        """
        self._count(self._values(x), checked_label(y), 1)

    def unlearn_one(self, x: Mapping[Any, Any], y: Label) -> None:
        """Remove a learned message of class `y`: the exact inverse of `learn_one`.

        Raises:
            ValueError: The message was not learned, as far as the class and sums show; nothing has changed.
        """
        self._count(self._values(x), checked_label(y), -1)

    def merge(self, other: Self) -> None:
        """Add the statistics of another model of this class, as if its messages had been learned here."""
        self._statistics.merge(self._of_this_class(other).statistics)

    def unmerge(self, other: Self) -> None:
        """Subtract what `merge` added. Raises ValueError, and changes nothing, if it was not added here."""
        self._statistics.unmerge(self._of_this_class(other).statistics)

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, rounded to 1/256 of a message.

        A message learned before a decay cannot be unlearned exactly afterwards.

        Args:
            factor: From 0 (forget everything) to 1 (forget nothing).

        Raises:
            ValueError: The factor is outside this range.
        """
        self._statistics.decay(factor)

    def copy(self) -> Self:
        """An independent copy of the model."""
        twin = type(self)(**self.options())
        twin.merge(self)
        return twin

    # Reading

    def log_likelihoods(self, x: Mapping[Any, Any]) -> dict[ClassName, float]:
        """log P(x | y) of every class: the sum of its features' terms, independent of their order bit for bit.

        Args:
            x: Values by feature; features may be missing.
        """
        if self._leaves_unread(x):
            return {}
        terms: dict[ClassName, list[float]] = {label: [] for label in self.classes}
        for feature, value in self._values(x):
            for label, term in self.feature_log_likelihoods(feature, value).items():
                terms[label].append(term)
        return {label: math.fsum(parts) if -math.inf not in parts else -math.inf for label, parts in terms.items()}

    def joint_log_likelihood(self, x: Mapping[Any, Any]) -> dict[ClassName, float]:
        """log P(y) + log P(x | y) of every class; ``{}`` for an empty model."""
        log_priors = self.log_priors()
        return {label: log_priors[label] + value for label, value in self.log_likelihoods(x).items()}

    def score(self, x: Mapping[Any, Any]) -> Score:
        """Score a message: joint log-likelihoods, posterior of `positive`, numbers of known and unseen features."""
        joint, known = self.joint_log_likelihood(x), self.known(x)
        return score_of(joint, self.positive, known, len(x) - known)

    def known(self, x: Mapping[Any, Any]) -> int:
        """How many features of a message have been seen.

        Args:
            x: A message.
        """
        return sum(feature in self._statistics.features for feature in x)

    def terms(self, x: Mapping[Any, Any], label: Label, rival: Label) -> list[Term]:
        """Each feature's contribution to the log-odds of two classes, strongest first, without uninformative ones."""
        terms: list[Term] = []
        for feature, value in self._values(x):
            logs = self.feature_log_likelihoods(feature, value)
            if logs:
                weight = logs[label] - logs[rival] if logs[label] != logs[rival] else 0.0
                support = self._support(feature, value)
                shown = float(x[feature]) if self.KIND == "number" else value
                terms.append(Term(feature_text(feature, shown), self.KIND, weight, support, self._normals(feature)))
        return sorted(terms, key=lambda term: (-abs(term.weight), term.text))

    def class_log_likelihood(self, label: Label) -> float:
        """See `MappingNB.class_log_likelihood`."""
        return math.fsum(self._own_log_likelihood(feature, label) for feature in self._statistics.features)

    # State

    def to_bytes(self) -> bytes:
        """A snapshot of the whole model; equal models give equal bytes.

        Raises:
            TypeError: A label or feature name cannot be stored as JSON.
        """
        return snapshot.pack(
            type(self).__name__, {"options": snapshot.options_state(self.options()), **self._statistics.state()}, {}
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Restore a model from the result of `to_bytes`.

        Args:
            data: The result of `to_bytes` of a model of this class.

        Raises:
            SnapshotError: The bytes are damaged or of another kind.
        """
        values, _ = snapshot.unpack(data, cls.__name__)
        try:
            model = cls(**snapshot.options_of(values["options"]))
            model.attach(FeatureStatistics[Any].from_state(cls.SUM, values))
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a {cls.__name__} with invalid content: {error}") from error
        return model

    def attach(self, statistics: FeatureStatistics[S]) -> None:
        """Use these statistics from now on.

        Args:
            statistics: Statistics with sums of type `SUM`; several models may share them.
        """
        self._statistics: FeatureStatistics[S] = statistics
        self._epoch = -1
        """The epoch of the statistics for which a subclass has computed what it keeps."""

    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal options."""
        return type(other) is type(self) and self.options() == other.options() and self._statistics == other.statistics

    def _count(self, values: Values, label: Label, sign: int) -> None:
        """Add one message to the statistics (`sign` 1), or remove it (-1)."""
        self._statistics.count(values, label, sign)

    def _values(self, x: Mapping[Any, Any]) -> Values:
        return [(feature, self._check(feature, value)) for feature, value in self._items(x)]


def finite_number(feature: Hashable, value: Any) -> float:
    """The value of a feature as a finite number. Raises ValueError if it is none, or text."""
    try:
        number = math.nan if isinstance(value, str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"feature {feature!r:.60} is {value!r:.60}: give a finite number, or leave the feature out")
    return number
