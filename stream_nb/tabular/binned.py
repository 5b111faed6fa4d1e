"""Naive Bayes over binned numbers, for features whose distribution within a class is not normal."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from stream_nb import parameter
from stream_nb.kernels.layout import UNIT
from stream_nb.prior import Prior
from stream_nb.tabular.base import FeatureNB
from stream_nb.tabular.number_counts import Grid, NumberCounts, on_finest, place_of
from stream_nb.types import ClassName, Label

_LARGEST = np.iinfo(np.int64).max


class BinnedNB(FeatureNB[NumberCounts]):
    """Naive Bayes over a dict of numbers, each divided into at most `bins` bins with about equally many values.

        P(x_i | y) = (count of x_i's bin in class y + a) / (m_y + a B_i)

    with m_y the values of feature i in class y, and B_i the number of its bins. The model counts each number's place on
    fixed grids, which do not depend on the data (see `stream_nb.tabular.number_counts`), so learning, unlearning and
    merging are exact. Bins are computed from these counts at prediction time, as quantiles over all classes; the two
    outer bins are unbounded. Bin edges are accurate to 1.6 % of the number, or of the range of the numbers if that is
    much smaller. Missing and unknown features are ignored.

    Values must be finite numbers, otherwise ValueError is raised. An empty model predicts None and ``{}``.

    Args:
        bins: Maximum number of bins of a feature, 2 or more.
        smoothing: a, in messages, 0 to 1e300.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        positive: The class of log-odds and probability.

    All options apply when the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range.

    >>> model = BinnedNB(bins=2)
    >>> for x, label in [(-3, "far"), (3, "far"), (-0.1, "near"), (0.2, "near"), (-4, "far"), (0.3, "near")]:
    ...     model.learn_one({"x": x}, label)
    >>> model.cuts("x")
    (0.19921875,)
    >>> model.predict_proba_one({"x": -10})  # (2 + 1) / (3 + 2) against (1 + 1) / (3 + 2)
    {'far': 0.6, 'near': 0.4}

    Source: Dougherty, Kohavi and Sahami, Supervised and unsupervised discretization of continuous features (1995).
    """

    SUM = NumberCounts
    KIND = "number"
    bins = parameter.whole_number(2)
    smoothing = parameter.smoothing()

    def __init__(
        self, bins: int = 10, smoothing: float = 1.0, prior: Prior = "learned", positive: Label = "spam"
    ) -> None:
        super().__init__(prior, positive)
        self.bins = bins
        self.smoothing = smoothing

    def _check(self, feature: Hashable, value: Any) -> int:
        try:
            return place_of(float(value))
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(
                f"feature {feature!r:.60} is {value!r:.60}: give a finite number, or leave the feature out"
            ) from error

    def feature_log_likelihoods(self, feature: Hashable, value: int) -> dict[ClassName, float]:
        """log P(bin of grid place `value` | y) of every class; ``{}`` for an unknown feature."""
        if feature not in self._statistics.features:
            return {}
        bins = self._bins(feature)
        return {label: self._log_shares(bins.counts[label])[bins.bin_of(value)] for label in self.classes}

    def cuts(self, feature: Hashable) -> tuple[float, ...]:
        """The inner edges of a feature's bins, ascending; a bin includes its lower edge. Raises KeyError for an unknown
        feature.

        Args:
            feature: Name of the feature.
        """
        bins = self._bins(feature)
        return tuple(bins.grid.start(place) for place in bins.starts)

    def _support(self, feature: Hashable, value: int) -> dict[ClassName, float]:
        bins = self._bins(feature)
        return {label: bins.counts[label][bins.bin_of(value)] for label in self.classes}

    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        counts = self._bins(feature).counts[label]
        shares = self._log_shares(counts)
        return math.fsum(count * share for count, share in zip(counts, shares, strict=True) if count)

    def _log_shares(self, counts: list[float]) -> list[float]:
        """log P(bin | y) of each bin; uniform for a class without values of the feature and smoothing 0."""
        total = math.fsum(counts) + self.smoothing * len(counts)
        if total <= 0.0:
            return [-math.log(len(counts))] * len(counts)
        smoothed = [count + self.smoothing for count in counts]
        return [math.log(count / total) if count > 0.0 else -math.inf for count in smoothed]

    def _bins(self, feature: Hashable) -> _Bins:
        by_class = self._statistics.features[feature]
        grid, places, units = on_finest([*by_class.values()])
        by_place = units.sum(axis=0)
        total = int(by_place.sum())
        before = np.cumsum(by_place) - by_place
        if total * self.bins > _LARGEST:
            before = before.astype(object)  # Python integers do not overflow
        begins = np.flatnonzero(np.diff(before * self.bins // total, prepend=-1) > 0)  # includes the first place
        sums = np.add.reduceat(units, begins, axis=1) / UNIT
        known = dict(zip(by_class, sums.tolist(), strict=True))
        zeros = [0.0] * len(begins)
        counts = {label: known.get(label, zeros) for label in self.classes}
        return _Bins(grid, places[begins[1:]].tolist(), counts)


class _Bins(NamedTuple):
    """The bins of a feature: grid, first places of the second and all later bins, and messages per bin by class."""

    grid: Grid
    starts: list[int]
    counts: dict[ClassName, list[float]]

    def bin_of(self, place: int) -> int:
        """The index of the bin that contains a place of the finest grid."""
        return bisect_right(self.starts, self.grid.place(place))
