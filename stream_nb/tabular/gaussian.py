"""Gaussian naive Bayes: each feature is a number with a normal distribution in each class."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from stream_nb import parameter
from stream_nb.features.class_counts import unknown_class
from stream_nb.posterior import margin
from stream_nb.prior import Prior
from stream_nb.tabular.base import FeatureNB, finite_number
from stream_nb.tabular.moments import Moments, pooled_std
from stream_nb.tabular.normal import HALF_LOG_TAU, Normal
from stream_nb.types import ClassName, Label


class Discriminant(NamedTuple):
    """Log-odds of two classes: bias + the sum over all features i of linear[i] x_i + quadratic[i] x_i^2."""

    bias: float
    linear: dict[Hashable, float]
    quadratic: dict[Hashable, float]

    def log_odds(self, x: Mapping[Any, float]) -> float:
        """The log-odds of `x`, which must have every feature."""
        terms = [(self.quadratic[i] * x[i] + self.linear[i]) * x[i] for i in self.linear]
        return math.fsum([self.bias, *terms])


class GaussianNB(FeatureNB[Moments]):
    """Naive Bayes over a dict of numbers.

        log P(x_i | y) = -(x_i - mean)^2 / (2 variance) - log(2 pi variance) / 2

    with the mean and 1/N variance of feature i in class y, or with `variance="shared"` the pooled within-class variance
    for all classes. Log-densities are not floored, so a value 100 standard deviations out counts in full. Once learned,
    it widens its class's distribution until it is unlearned: if strangers choose the numbers, use `BinnedNB` or clip
    them.

    If a class has no variance of its own (one value, or all values equal), the pooled within-class variance is used; if
    that is 0 too, the variance of all values of the feature; if that is 0 too, the feature is constant and is ignored.
    A class without values of a feature uses the mean and variance of all values, so that a typical value neither
    favours it nor counts against it. Missing and unknown features are ignored.

    Values must be finite numbers, otherwise ValueError is raised. An empty model predicts None and ``{}``.

    Args:
        variance: ``own`` for one variance per class, or ``shared``.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        positive: The class of log-odds and probability.

    All options apply when the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range.

    >>> model = GaussianNB()
    >>> for x1, x2, x3, y in [(2, 3, 1, 1), (-1.2, 2, 0.4, 1), (1.2, 0.3, 0, 0), (2.2, 1.1, 0, 1)]:
    ...     model.learn_one({"x1": x1, "x2": x2, "x3": x3}, y)
    >>> model.statistics.get("x1", 1).mean, model.statistics.get("x1", 1).variance
    (1.0, 2.426667)
    >>> model.predict_one({"x1": 2, "x2": 2.5, "x3": 0.8})
    1

    Source: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), sections 4.3 and 6.6.3.
    """

    SUM = Moments
    KIND = "number"
    variance = parameter.choice("own", "shared")

    def __init__(self, variance: str = "own", prior: Prior = "learned", positive: Label = "spam") -> None:
        super().__init__(prior, positive)
        self.variance = variance

    def _check(self, feature: Hashable, value: Any) -> float:
        return finite_number(feature, value)

    def feature_log_likelihoods(self, feature: Hashable, value: float) -> dict[ClassName, float]:
        """Log-density of the value in every class; ``{}`` for a constant or unknown feature."""
        return {label: normal.log_density(value) for label, normal in self.normals(feature).items()}

    def normals(self, feature: Hashable) -> dict[ClassName, Normal]:
        """The normal distribution of a feature in every class; ``{}`` for a constant or unknown feature.

        Args:
            feature: Name of the feature.
        """
        by_class = self._statistics.features.get(feature)
        if by_class is None:
            return {}
        own = self.variance == "own"
        normals: dict[ClassName, Normal] = {}
        if own and len(by_class) == len(self._statistics.units):
            normals = {label: by_class[label].mean_and_std() for label in self._statistics.units}
            if all([normal.std > 0.0 for normal in normals.values()]):
                return normals
        fallback, everything = pooled_std(list(by_class.values())), Moments()
        if fallback == 0.0 or len(by_class) < len(self._statistics.units):  # otherwise it is not needed
            for moments in by_class.values():
                everything.merge(moments)
        fallback = fallback or everything.std
        if fallback == 0.0:
            return {}
        normals = {}
        for label in self.classes:
            moments = by_class.get(label)
            if moments is None:
                normals[label] = Normal(everything.mean, everything.std)
            else:
                normals[label] = Normal(moments.mean, (own and moments.std) or fallback)
        return normals

    def _support(self, feature: Hashable, value: float) -> dict[ClassName, float]:
        by_class = self._statistics.features[feature]
        return {label: by_class[label].n if label in by_class else 0.0 for label in self.classes}

    def _normals(self, feature: Hashable) -> dict[ClassName, tuple[float, float]]:
        return {label: (moments.mean, moments.std) for label, moments in self._statistics.features[feature].items()}

    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        moments, normal = self._statistics.features[feature].get(label), self.normals(feature).get(label)
        if moments is None or normal is None:
            return 0.0
        spread = moments.std / normal.std
        return moments.n * (-0.5 * spread * spread - math.log(normal.std) - HALF_LOG_TAU)

    def discriminant(self, positive: Label, rival: Label) -> Discriminant:
        """The log-odds of two classes as a polynomial of degree 2.

        With `variance="shared"` it is linear: every quadratic coefficient is exactly 0, except that of a feature of
        which one of the classes has no values.

        Args:
            positive: A known class.
            rival: The class to compare it with.

        Raises:
            KeyError: A class is unknown.
            ValueError: The squares of a feature's numbers are outside the range of floats.

        >>> model = GaussianNB(variance="shared")
        >>> for x, y in [(0, "ham"), (2, "ham"), (4, "spam"), (6, "spam")]:
        ...     model.learn_one({"x": x}, y)
        >>> model.discriminant("spam", "ham")
        Discriminant(bias=-12.0, linear={'x': 4.0}, quadratic={'x': 0.0})
        """
        priors = self.log_priors()
        for label in (positive, rival):
            if label not in priors:
                raise unknown_class(label, self.classes)
        bias, linear, quadratic = [margin({label: priors[label] for label in (positive, rival)}, positive)], {}, {}
        for feature in self._statistics.features:
            normals = self.normals(feature)
            if not normals:
                continue
            p, q = normals[positive], normals[rival]
            try:
                square, slope = 0.5 / q.std**2 - 0.5 / p.std**2, p.mean / p.std**2 - q.mean / q.std**2
                bias += [0.5 * (q.mean / q.std) ** 2, -0.5 * (p.mean / p.std) ** 2, math.log(q.std) - math.log(p.std)]
                if not math.isfinite(square + slope):  # std^2 may be so near 0 that its inverse is inf
                    raise OverflowError
            except (OverflowError, ZeroDivisionError) as error:
                raise ValueError(
                    f"feature {feature!r:.60} has deviations of {p.std:.3g} and {q.std:.3g}, whose squares are not "
                    "floats: give its values in another unit"
                ) from error
            quadratic[feature], linear[feature] = square, slope
        return Discriminant(math.fsum(bias), linear, quadratic)
