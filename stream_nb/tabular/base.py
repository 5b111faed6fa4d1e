"""What the models over named features share: one sum for each feature and class, and the laws of learning."""

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
from stream_nb.types import Label, Score, Term

S = TypeVar("S", bound=FeatureSum)


class FeatureNB(MappingNB, Generic[S]):
    """Naive Bayes over a dict of named features: log P(y) plus one term a feature, from one sum a class.

    The state is a message count for each class and a sum for each feature and class; features may be missing from a
    message (they are then left out, in learning and in reading) and may come at any time. Equal states give equal bytes
    and, classes being kept in a fixed order, equal decisions.
    """

    SUM: ClassVar[type[Any]]
    """The kind of sum kept of each feature and class."""
    KIND: ClassVar[str]
    """What the terms of `evidence` are: "category" or "number"."""

    def __init__(self, prior: priors.Prior, positive: Label) -> None:
        self.prior = prior
        self.positive = positive
        self._statistics: FeatureStatistics[S] = FeatureStatistics(self.SUM)

    @abc.abstractmethod
    def feature_log_likelihoods(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """log P(value | y) for every class, or ``{}`` when the feature says nothing.

        Args:
            feature: Its name.
            value: A value as the statistics keep it.
        """

    @abc.abstractmethod
    def _check(self, feature: Hashable, value: Any) -> Any:
        """The value as the sum takes it. Raises ValueError or TypeError naming the feature."""

    @property
    def statistics(self) -> FeatureStatistics[S]:
        """What has been counted, to read; only the model changes it."""
        return self._statistics

    @abc.abstractmethod
    def _met(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """How many messages of each class stand behind what a value of a feature met says."""

    def _normals(self, feature: Hashable) -> dict[Label, tuple[float, float]] | None:
        """Mean and deviation of a number in each class that has it; None for what is no number."""
        return None

    @abc.abstractmethod
    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        """log P(all values of the feature in the class | y)."""

    @property
    def class_counts(self) -> dict[Label, float]:
        """Messages a class, the classes in a fixed order."""
        return self._statistics.messages

    @property
    def features(self) -> tuple[Hashable, ...]:
        """The features that have values."""
        return tuple(self._statistics.features)

    # Learning

    def learn_one(self, x: Mapping[Any, Any], y: Label) -> None:
        """Add one message of class `y`.

        Raises:
            ValueError, TypeError: A value is not what the model takes; nothing has been learned then.
        """
        self._statistics.add(self._values(x), checked_label(y))

    def unlearn_one(self, x: Mapping[Any, Any], y: Label) -> None:
        """Take a learned message out again, exactly.

        Raises:
            ValueError: The class or one of the features has nothing to take back; nothing has changed then.
        """
        self._statistics.remove(self._values(x), y)

    def merge(self, other: Self) -> None:
        """Add the statistics of another model of this class, as if its messages had been learned here."""
        self._statistics.merge(self._of_this_class(other).statistics)

    def unmerge(self, other: Self) -> None:
        """Take back what `merge` added. Raises ValueError, and changes nothing, when there is not so much of it."""
        self._statistics.unmerge(self._of_this_class(other).statistics)

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, rounded to 1/256 of a message.

        A message learned before a decay cannot be unlearned exactly after it.

        Args:
            factor: From 0 (forget all) to 1 (nothing).

        Raises:
            ValueError: The factor is outside this range.
        """
        self._statistics.decay(factor)

    # Reading

    def log_likelihoods(self, x: Mapping[Any, Any]) -> dict[Label, float]:
        """log P(x | y) of every class: the sum of its features' terms, in any order the same bits.

        Args:
            x: Values by feature; features may be missing.
        """
        if self._leaves_unread(x):
            return {}
        terms: dict[Label, list[float]] = {label: [] for label in self.classes}
        for feature, value in self._values(x):
            for label, term in self.feature_log_likelihoods(feature, value).items():
                terms[label].append(term)
        return {label: math.fsum(parts) if -math.inf not in parts else -math.inf for label, parts in terms.items()}

    def joint_log_likelihood(self, x: Mapping[Any, Any]) -> dict[Label, float]:
        """log P(y) + log P(x | y) of every class; ``{}`` before the first."""
        own = self.log_priors()
        return {label: own[label] + value for label, value in self.log_likelihoods(x).items()}

    def score(self, x: Mapping[Any, Any]) -> Score:
        """Joint log-likelihoods, posterior of `positive`, and how many features had been met and how many not."""
        joint = self.joint_log_likelihood(x)
        known = sum(feature in self._statistics.features for feature in x)
        return score_of(joint, self.positive, known, len(x) - known)

    def terms(self, x: Mapping[Any, Any], label: Label, rival: Label) -> list[Term]:
        """As for every `MappingNB`."""
        terms: list[Term] = []
        for feature, value in self._values(x):
            of_class = self.feature_log_likelihoods(feature, value)
            if of_class:
                weight = of_class[label] - of_class[rival] if of_class[label] != of_class[rival] else 0.0
                met = self._met(feature, value)
                shown = float(x[feature]) if self.KIND == "number" else value
                terms.append(Term(feature_text(feature, shown), self.KIND, weight, met, self._normals(feature)))
        return sorted(terms, key=lambda term: (-abs(term.weight), term.text))

    def class_log_likelihood(self, label: Label) -> float:
        """As for every `MappingNB`."""
        return math.fsum(self._own_log_likelihood(feature, label) for feature in self._statistics.features)

    # State

    def to_bytes(self) -> bytes:
        """The whole model; equal models give equal bytes.

        Raises:
            TypeError: A label or feature is nothing that JSON can hold.
        """
        return snapshot.pack(
            type(self).__name__, {"options": snapshot.options_state(self.options()), **self._statistics.state()}, {}
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The model that `to_bytes` gave.

        Args:
            data: What `to_bytes` of a model of this class returned.

        Raises:
            SnapshotError: The bytes are damaged, or of another kind.
        """
        values, _ = snapshot.unpack(data, cls.__name__)
        try:
            model = cls(**snapshot.options_of(values["options"]))
            model.attach(FeatureStatistics[Any].from_state(cls.SUM, values))
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a {cls.__name__} that makes no model: {error}") from error
        return model

    def attach(self, statistics: FeatureStatistics[S]) -> None:
        """Read and change these statistics from now on, instead of those before.

        Args:
            statistics: Sums of the kind that the model keeps; several models may share them.
        """
        self._statistics = statistics

    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal options."""
        return type(other) is type(self) and self.options() == other.options() and self._statistics == other.statistics

    def _values(self, x: Mapping[Any, Any]) -> list[tuple[Hashable, Any]]:
        return [(feature, self._check(feature, value)) for feature, value in self._items(x)]
