"""Categorical naive Bayes: each feature takes one of K values."""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable
from typing import Any

from stream_nb import parameter
from stream_nb.prior import Prior
from stream_nb.tabular.base import FeatureNB
from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.types import Label


class CategoricalNB(FeatureNB[CategoryCounts]):
    """Naive Bayes over a dict of categories.

        P(x_i = v | y) = (count of v in class y + a) / (m_y + a K_i)

    In words: the share of value v among the m_y values of feature i in class y, as if each of the K_i
    values had been seen a times more. K_i is the number of distinct values of feature i met in any class; a
    value never met counts as one more, so that it has a probability as well: a / (m_y + a (K_i + 1)), all
    K_i + 1 then adding up to 1. With smoothing 0 a value not met in a class has probability 0 there. A
    feature missing from a message is left out; a feature met in no class says nothing and is left out too.

    Arguments, both only ways of reading: `smoothing` a >= 0 (1 Laplace, 0.5 Jeffreys), `prior` (see
    `stream_nb.prior`). Values are strings, integers, booleans, floats or None. An empty model predicts None
    and ``{}``.

    >>> model = CategoricalNB()
    >>> for colour, label in [("red", "spam"), ("red", "spam"), ("blue", "ham")]:
    ...     model.learn_one({"colour": colour}, label)
    >>> model.value_probabilities("colour", "red")  # (2 + 1) / (2 + 2) and (0 + 1) / (1 + 2)
    {'ham': 0.333333, 'spam': 0.75}
    >>> model.value_probabilities("colour", "green")  # 1 / (2 + 3) and 1 / (1 + 3)
    {'ham': 0.25, 'spam': 0.2}
    >>> model.predict_one({"colour": "red"})
    'spam'

    Source: Mitchell, Machine Learning (1997), section 6.9, with m = a K_i equally likely virtual examples.
    """

    SUM = CategoryCounts
    smoothing = parameter.number(0.0, sys.float_info.max)

    def __init__(self, smoothing: float = 1.0, prior: Prior = "learned") -> None:
        super().__init__(prior)
        self.smoothing = smoothing

    def _check(self, feature: Hashable, value: Any) -> Any:
        if not isinstance(value, str | int | float | None) or value != value:
            raise TypeError(f"feature {feature!r} is {value!r}: a category is a string, a number, a bool or None")
        return value

    def feature_log_likelihoods(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """log P(value | y) for every class; ``{}`` for a feature never met."""
        return {
            label: math.log(chance) if chance > 0.0 else -math.inf
            for label, chance in self.value_probabilities(feature, value).items()
        }

    def value_probabilities(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """P(feature = value | y) for every class; ``{}`` for a feature never met.

        A class that never met the feature has every value equally likely.
        """
        by_class = self._statistics.features.get(feature)
        if by_class is None:
            return {}
        k = len({*self.values(feature), value})
        return {label: self._chance(by_class.get(label), value, k) for label in self.classes}

    def values(self, feature: Hashable) -> list[Any]:
        """The K_i values of a feature met in any class, in a fixed order; none for a feature never met."""
        by_class = self._statistics.features.get(feature, {})
        met = set().union(*(tally.units for tally in by_class.values()))
        return sorted(met, key=lambda value: (type(value).__name__, repr(value)))

    def _chance(self, tally: CategoryCounts | None, value: Any, k: int) -> float:
        if tally is None:
            return 1.0 / k
        return (tally.count(value) + self.smoothing) / (tally.n + self.smoothing * k)
