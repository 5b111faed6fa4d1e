"""Categorical naive Bayes: each feature takes one of K values."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any, cast

import numpy as np

from stream_nb import parameter
from stream_nb.prior import Prior
from stream_nb.tabular.base import FeatureNB
from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.types import Label


def _min_categories() -> parameter.Parameter[int | Mapping[Hashable, int] | None]:
    """None, or the least number of values of a feature: one number for all, or one by feature."""

    def one(name: str, value: Any, k: Any) -> int:
        kept = parameter.whole(k)
        if kept is None or kept < 1:
            raise ValueError(f"{name} is {value!r}: give a whole number of 1 or more, or such a number by feature")
        return kept

    def check(name: str, value: Any) -> int | Mapping[Hashable, int] | None:
        if isinstance(value, Mapping):
            return {feature: one(name, value, k) for feature, k in cast("Mapping[Any, Any]", value).items()}
        return None if value is None else one(name, value, value)

    return parameter.Parameter(check)


class CategoricalNB(FeatureNB[CategoryCounts]):
    """Naive Bayes over a dict of categories.

        P(x_i = v | y) = (count of v in class y + a) / (m_y + a K_i)

    In words: the share of value v among the m_y values of feature i in class y, as if each of the K_i values had been
    seen a times more. K_i may be given as `min_categories`, one number for all features or one by feature; more values
    than that may come, and then they are K_i. Where it is not given, K_i is the number of distinct values met in any
    class and one more, which stands for all values never met, so that the probabilities of the values met and of one
    never met add up to 1. With smoothing 0 a value not met in a class has probability 0 there. A feature missing from
    a message is left out; a feature met in no class says nothing and is left out too.

    Values are strings, integers, booleans, floats or None. An empty model predicts None and ``{}``.

    Args:
        smoothing: a, in messages, 0 or more and finite; 1 is Laplace's rule, 0.5 Jeffreys'.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        min_categories: The least K_i, 1 or more: one for all features, or a dict by feature; None if not known.
        positive: The class that log-odds speak of.

    All of them only choose how the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range; the message names it and the range.

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
    smoothing = parameter.number(0.0)
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

    def _check(self, feature: Hashable, value: Any) -> Any:
        kept = cast("np.generic[Any]", value).item() if isinstance(value, np.generic) else value
        if not isinstance(kept, str | int | float | None) or kept != kept:
            raise TypeError(
                f"feature {feature!r:.60} is {value!r:.60}: a category is a string, a number, a bool or None; leave "
                "out what is missing"
            )
        return kept

    def feature_log_likelihoods(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """log P(value | y) for every class; ``{}`` for a feature never met."""
        return {
            label: math.log(chance) if chance > 0.0 else -math.inf
            for label, chance in self.value_probabilities(feature, value).items()
        }

    def value_probabilities(self, feature: Hashable, value: Any) -> dict[Label, float]:
        """P(feature = value | y) for every class; ``{}`` for a feature never met.

        A class that never met the feature has every value equally likely.

        Args:
            feature: Its name.
            value: One of its values, met or not.
        """
        by_class = self._statistics.features.get(feature)
        if by_class is None:
            return {}
        k = self._k(feature, value)
        return {label: self._chance(by_class.get(label), value, k) for label in self.classes}

    def values(self, feature: Hashable) -> list[Any]:
        """The values of a feature met in any class, in a fixed order; none for a feature never met.

        Args:
            feature: Its name.
        """
        return sorted(self._distinct(feature), key=lambda value: (type(value).__name__, repr(value)))

    def _distinct(self, feature: Hashable) -> set[Hashable]:
        return {value for tally in self._statistics.features.get(feature, {}).values() for value in tally.units}

    def _k(self, feature: Hashable, *values: Any) -> int:
        """K_i where these values are asked for."""
        met = self._distinct(feature)
        given = self.min_categories
        k = given.get(feature) if isinstance(given, Mapping) else given
        return len(met) + 1 if k is None else max(k, len(met.union(values)))

    def _met(self, feature: Hashable, value: Any) -> dict[Label, float]:
        by_class = self._statistics.features[feature]
        return {label: by_class[label].count(value) if label in by_class else 0.0 for label in self.classes}

    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        tally, k = self._statistics.features[feature].get(label, CategoryCounts()), self._k(feature)
        return math.fsum(tally.count(value) * math.log(self._chance(tally, value, k)) for value in tally.units)

    def _chance(self, tally: CategoryCounts | None, value: Any, k: int) -> float:
        if tally is None:
            return 1.0 / k
        return (tally.count(value) + self.smoothing) / (tally.n + self.smoothing * k)
