"""Naive Bayes over numbers cut into bins, for features that are not normal within a class."""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Mapping
from typing import Any

from stream_nb import parameter
from stream_nb.prior import Prior
from stream_nb.tabular.base import FeatureNB
from stream_nb.tabular.category_counts import CategoryCounts
from stream_nb.types import Label

_FINE_BITS = 6
_SHIFT = 1100


def fine_bin(x: float) -> int:
    """The place of a finite number on a fixed grid of 2^6 steps a doubling, in the numbers' own order.

    >>> fine_bin(0.0), fine_bin(1.0) < fine_bin(1.02) < fine_bin(2.0), fine_bin(-1.0) == -fine_bin(1.0)
    (0, True, True)
    """
    if x == 0.0:
        return 0
    mantissa, exponent = math.frexp(abs(x))
    step = ((exponent + _SHIFT) << _FINE_BITS) + int((2.0 * mantissa - 1.0) * (1 << _FINE_BITS))
    return step if x > 0.0 else -step


class BinnedNB(FeatureNB[CategoryCounts]):
    """Naive Bayes over a dict of numbers, each cut into at most `bins` bins of about equal content.

        P(x_i | y) = (count of x_i's bin in class y + a) / (m_y + a B_i)

    What is counted is the number's place on a fixed fine grid (within 1.6 % of the number), whatever the data; so
    learning, unlearning and merging stay exact; centre a feature that varies by less than that. The bins are laid
    over those counts when reading: quantiles of all classes together, hence about as many rows in each, and the
    two outer ones open. A feature missing from a message, or met in no class, is left out.

    Arguments, all only ways of reading: `bins` of 2 or more, `smoothing` a >= 0, `prior` (see `stream_nb.prior`).
    Values are finite numbers, else ValueError. An empty model predicts None and ``{}``.

    >>> model = BinnedNB(bins=2)
    >>> for x, label in [(-3, "far"), (3, "far"), (-0.1, "near"), (0.2, "near"), (-4, "far"), (0.3, "near")]:
    ...     model.learn_one({"x": x}, label)
    >>> model.cuts("x")
    (0.19921875,)
    >>> model.predict_proba_one({"x": -10})  # (2 + 1) / (3 + 2) against (1 + 1) / (3 + 2)
    {'far': 0.6, 'near': 0.4}

    Source: Dougherty, Kohavi and Sahami, Supervised and unsupervised discretization of continuous features (1995).
    """

    SUM = CategoryCounts
    bins = parameter.whole_number(2)
    smoothing = parameter.number(0.0, sys.float_info.max)

    def __init__(self, bins: int = 10, smoothing: float = 1.0, prior: Prior = "learned") -> None:
        super().__init__(prior)
        self.bins = bins
        self.smoothing = smoothing

    def _check(self, feature: Hashable, value: Any) -> int:
        try:
            return fine_bin(float(value))
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(
                f"feature {feature!r} is {value!r}: give a finite number, or leave the feature out"
            ) from error

    def feature_log_likelihoods(self, feature: Hashable, value: int) -> dict[Label, float]:
        """log P(bin of the fine place `value` | y) of every class; ``{}`` for a feature never met."""
        by_class = self._statistics.features.get(feature)
        if by_class is None:
            return {}
        starts = self._starts(by_class)
        lower = max((start for start in starts if start <= value), default=-math.inf)
        upper = min((start for start in starts if start > value), default=math.inf)
        likelihoods: dict[Label, float] = {}
        for label in self.classes:
            tally = by_class.get(label, CategoryCounts())
            inside = math.fsum(tally.count(place) for place in tally.units if lower <= place < upper)
            above, below = inside + self.smoothing, tally.n + self.smoothing * (len(starts) + 1)
            likelihoods[label] = (
                math.log(above / below) if above > 0.0 else -math.inf if below > 0.0 else -math.log(len(starts) + 1)
            )
        return likelihoods

    def cuts(self, feature: Hashable) -> tuple[float, ...]:
        """Where the bins of a feature meet, rising; a bin starts at its lower cut. Raises KeyError if never met."""
        return tuple(_edge(start) for start in self._starts(self._statistics.features[feature]))

    def _starts(self, by_class: Mapping[Label, CategoryCounts]) -> list[int]:
        """The fine places at which the second, third, ... bin starts."""
        everything = CategoryCounts()
        for tally in by_class.values():
            everything.merge(tally)
        total = sum(everything.units.values())
        starts: list[int] = []
        seen, quantile = 0, 0
        for place in sorted(everything.units):
            if seen * self.bins // total > quantile:
                quantile = seen * self.bins // total
                starts.append(place)
            seen += everything.units[place]
        return starts


def _edge(place: int) -> float:
    """The end of a fine step that lies nearer to zero."""
    exponent, step = divmod(abs(place), 1 << _FINE_BITS)
    size = math.ldexp(1.0 + step / (1 << _FINE_BITS), exponent - _SHIFT - 1)
    return math.copysign(size, place) if place else 0.0
