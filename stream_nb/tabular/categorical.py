"""Categorical naive Bayes: each feature has one of K values."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any, cast

import numpy as np

from stream_nb import parameter
from stream_nb.prior import Prior
from stream_nb.tabular.base import FeatureNB, Values
from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.types import ClassName, Label

_VALUES = (str, int, float, type(None))
"""The types of values: a constant, because to write them as a union at the check takes longer than the check."""


def _min_categories() -> parameter.Parameter[int | Mapping[Hashable, int] | None]:
    """None, or the minimum number of values of a feature: one number for all features, or a dict by feature."""

    def check_one(name: str, value: Any, k: Any) -> int:
        integer = parameter.whole(k)
        if integer is None or integer < 1:
            raise ValueError(f"{name} is {value!r}: give a whole number of 1 or more, or a dict of these by feature")
        return integer

    def check(name: str, value: Any) -> int | Mapping[Hashable, int] | None:
        if isinstance(value, Mapping):
            return {feature: check_one(name, value, k) for feature, k in cast("Mapping[Any, Any]", value).items()}
        return None if value is None else check_one(name, value, value)

    return parameter.Parameter(check)


class CategoricalNB(FeatureNB[CategoryCounts]):
    """Naive Bayes over a dict of categories.

        P(x_i = v | y) = (count of v in class y + a) / (m_y + a K_i)

    P(x_i = v | y) is the share of value v among the m_y values of feature i in class y, after adding a to the count of
    each of the K_i values. K_i is `min_categories`, or the number of distinct values if that is greater: those seen in
    any class, and v. Without `min_categories`, K_i is the number of distinct values seen plus one, which stands for all
    unseen values: the probabilities of the seen values and of one unseen value add up to 1. With smoothing 0 a value
    not seen in a class has probability 0 there. Missing and unknown features are ignored.

    Values are strings, integers, booleans, floats or None. An empty model predicts None and ``{}``.

    Args:
        smoothing: a, in messages, 0 to 1e300; 1 is Laplace's rule, 0.5 Jeffreys'.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        min_categories: Minimum K_i, 1 or more: one number for all features, or a dict by feature; None if unknown.
        positive: The class of log-odds and probability.

    All options apply when the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range.

    >>> model = CategoricalNB()
    >>> for colour, label in [("red", "spam"), ("red", "spam"), ("blue", "ham")]:
    ...     model.learn_one({"colour": colour}, label)
    >>> model.value_probabilities("colour", "red")  # (0 + 1) / (1 + 3) and (2 + 1) / (2 + 3)
    {'ham': 0.25, 'spam': 0.6}
    >>> model.value_probabilities("colour", "green")  # 1 / (1 + 3) and 1 / (2 + 3)
    {'ham': 0.25, 'spam': 0.2}
    >>> model.min_categories = 2  # red or blue, nothing else
    >>> model.value_probabilities("colour", "red")
    {'ham': 0.333333, 'spam': 0.75}
    >>> model.predict_one({"colour": "red"})
    'spam'

    Source: Mitchell, Machine Learning (1997), section 6.9, with m = a K_i equally likely virtual examples.
    """

    SUM = CategoryCounts
    KIND = "category"
    smoothing = parameter.smoothing()
    min_categories = _min_categories()

    def __init__(
        self,
        smoothing: float = 1.0,
        prior: Prior = "learned",
        min_categories: int | Mapping[Hashable, int] | None = None,
        positive: Label = "spam",
    ) -> None:
        super().__init__(prior, positive)
        self.smoothing = smoothing
        self.min_categories = min_categories
        self._sizes: dict[Hashable, int] = {}
        """Numbers of distinct values of features, as of `_epoch`: kept, because counting them visits each."""

    def _count(self, values: Values, label: Label, sign: int) -> None:
        """See `FeatureNB._count`; the numbers of distinct values change with the statistics."""
        self._drop_stale()
        counted = [(*pair, self._seen(*pair)) for pair in values if pair[0] in self._sizes]
        self._statistics.count(values, label, sign)
        for feature, value, before in counted:
            self._sizes[feature] += self._seen(feature, value) - before
        self._epoch = self._statistics.epoch

    def _drop_stale(self) -> None:
        if self._epoch != self._statistics.epoch:
            self._sizes, self._epoch = {}, self._statistics.epoch

    def _check(self, feature: Hashable, value: Any) -> Any:
        category = cast("np.generic[Any]", value).item() if isinstance(value, np.generic) else value
        if not isinstance(category, _VALUES) or category != category:
            raise TypeError(
                f"feature {feature!r:.60} is {value!r:.60}: give a string, a number, a bool or None, or leave the "
                "feature out"
            )
        return category

    def feature_log_likelihoods(self, feature: Hashable, value: Any) -> dict[ClassName, float]:
        """log P(value | y) for every class; ``{}`` for an unknown feature."""
        return {
            label: math.log(probability) if probability > 0.0 else -math.inf
            for label, probability in self.value_probabilities(feature, value).items()
        }

    def value_probabilities(self, feature: Hashable, value: Any) -> dict[ClassName, float]:
        """P(feature = value | y) for every class; ``{}`` for an unknown feature.

        All values are equally likely in a class that has no values of the feature.

        Args:
            feature: Name of the feature.
            value: A value of the feature, seen before or not.
        """
        by_class = self._statistics.features.get(feature)
        if by_class is None:
            return {}
        k = self._k(feature, unseen=not self._seen(feature, value))
        return {label: self._probability(by_class.get(label), value, k) for label in self.classes}

    def values(self, feature: Hashable) -> list[Any]:
        """The values of a feature seen in any class, in a fixed order; ``[]`` for an unknown feature.

        Args:
            feature: Name of the feature.
        """
        return sorted(self._distinct(feature), key=lambda value: (type(value).__name__, repr(value)))

    def _distinct(self, feature: Hashable) -> set[Hashable]:
        return {value for counts in self._statistics.features.get(feature, {}).values() for value in counts.units}

    def _seen(self, feature: Hashable, value: Any) -> bool:
        """Whether a class has the value."""
        return any([value in counts.units for counts in self._statistics.features.get(feature, {}).values()])

    def _k(self, feature: Hashable, unseen: int = 0) -> int:
        """K_i of the feature, with `unseen` more values than have been seen."""
        self._drop_stale()
        if feature not in self._sizes:
            self._sizes[feature] = len(self._distinct(feature))
        seen, minimum = self._sizes[feature], self.min_categories
        k = minimum.get(feature) if isinstance(minimum, Mapping) else minimum
        return seen + 1 if k is None else max(k, seen + unseen)

    def _support(self, feature: Hashable, value: Any) -> dict[ClassName, float]:
        by_class = self._statistics.features[feature]
        return {label: by_class[label].count(value) if label in by_class else 0.0 for label in self.classes}

    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        counts, k = self._statistics.features[feature].get(label, CategoryCounts()), self._k(feature)
        return math.fsum(counts.count(value) * math.log(self._probability(counts, value, k)) for value in counts.units)

    def _probability(self, counts: CategoryCounts | None, value: Any, k: int) -> float:
        if counts is None:
            return 1.0 / k
        return (counts.count(value) + self.smoothing) / (counts.n + self.smoothing * k)
