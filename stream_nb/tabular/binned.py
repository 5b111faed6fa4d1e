"""Naive Bayes over numbers cut into bins, for features that are not normal within a class."""

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
from stream_nb.types import Label

_LARGEST = np.iinfo(np.int64).max


class BinnedNB(FeatureNB[NumberCounts]):
    """Naive Bayes over a dict of numbers, each cut into at most `bins` bins of about equal content.

        P(x_i | y) = (count of x_i's bin in class y + a) / (m_y + a B_i)

    What is counted is the number's place on fixed grids (see `stream_nb.tabular.number_counts`), whatever the data; so
    learning, unlearning and merging stay exact. The bins are chosen from those counts when reading: quantiles of all
    classes together, hence about as many rows in each, and the two outer ones open. Their edges are good to 1.6 % of a
    number, or of the range of the numbers where that is much smaller. A feature missing from a message, or met in no
    class, is left out.

    Values are finite numbers, else ValueError. An empty model predicts None and ``{}``.

    Args:
        bins: The most bins of a feature, 2 or more.
        smoothing: a, in messages, 0 or more and finite.
        prior: ``learned``, ``smoothed``, ``uniform``, or a share for each class (see `stream_nb.prior`).
        positive: The class that log-odds speak of.

    All of them only choose how the statistics are read, and may be set on a trained model.

    Raises:
        ValueError: An argument is outside its range; the message names it and the range.

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
    smoothing = parameter.number(0.0)

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

    def feature_log_likelihoods(self, feature: Hashable, value: int) -> dict[Label, float]:
        """log P(bin of the place `value` | y) of every class; ``{}`` for a feature never met."""
        if feature not in self._statistics.features:
            return {}
        bins = self._bins(feature)
        return {label: self._log_shares(bins.counts[label])[bins.bin_of(value)] for label in self.classes}

    def cuts(self, feature: Hashable) -> tuple[float, ...]:
        """Where the bins of a feature meet, rising; a bin starts at its lower cut. Raises KeyError if never met.

        Args:
            feature: Its name.
        """
        bins = self._bins(feature)
        return tuple(bins.grid.start(place) for place in bins.starts)

    def _met(self, feature: Hashable, value: int) -> dict[Label, float]:
        bins = self._bins(feature)
        return {label: bins.counts[label][bins.bin_of(value)] for label in self.classes}

    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        counts = self._bins(feature).counts[label]
        shares = self._log_shares(counts)
        return math.fsum(count * share for count, share in zip(counts, shares, strict=True) if count)

    def _log_shares(self, counts: list[float]) -> list[float]:
        """log P(bin | y) of each bin; all alike for a class that never met the feature and smoothing 0."""
        below = math.fsum(counts) + self.smoothing * len(counts)
        if below <= 0.0:
            return [-math.log(len(counts))] * len(counts)
        above = [count + self.smoothing for count in counts]
        return [math.log(share / below) if share > 0.0 else -math.inf for share in above]

    def _bins(self, feature: Hashable) -> _Bins:
        by_class = self._statistics.features[feature]
        grid, places, units = on_finest([*by_class.values()])
        everything = units.sum(axis=0)
        total = int(everything.sum())
        before = np.cumsum(everything) - everything
        if total * self.bins > _LARGEST:
            before = before.astype(object)
        begins = np.flatnonzero(np.diff(before * self.bins // total, prepend=-1) > 0)  # the first place is one
        sums = np.add.reduceat(units, begins, axis=1) / UNIT
        of_label = dict(zip(by_class, sums.tolist(), strict=True))
        nothing = [0.0] * len(begins)
        counts = {label: of_label.get(label, nothing) for label in self.classes}
        return _Bins(grid, places[begins[1:]].tolist(), counts)


class _Bins(NamedTuple):
    """The bins of a feature: the grid, the places where the second, third, ... begin, and messages in each by class."""

    grid: Grid
    starts: list[int]
    counts: dict[Label, list[float]]

    def bin_of(self, place: int) -> int:
        """The number of the bin that holds a place of the finest grid."""
        return bisect_right(self.starts, self.grid.place(place))
