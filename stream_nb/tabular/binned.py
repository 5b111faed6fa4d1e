"""Naive Bayes over binned numbers, for features whose distribution within a class is not normal."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from stream_nb import parameter
from stream_nb.kernels.layout import UNIT
from stream_nb.prior import Prior
from stream_nb.tabular.base import FeatureNB, Values, finite_number
from stream_nb.tabular.bin_table import BinTable
from stream_nb.tabular.number_counts import NumberCounts, interval_of
from stream_nb.types import ClassName, Label

_MOST_CELLS = 1 << 22
"""At most so many counts are kept in tables, which bounds their memory to 32 MiB."""


class BinnedNB(FeatureNB[NumberCounts]):
    """Naive Bayes over a dict of numbers, each divided into at most `bins` bins with about equally many values.

        P(x_i | y) = (count of x_i's bin in class y + a) / (m_y + a B_i)

    with m_y the values of feature i in class y, and B_i the number of its bins. The model counts each number's interval
    on fixed grids, which do not depend on the data (see `stream_nb.tabular.number_counts`), so learning, unlearning and
    merging are exact. Bins are computed from these counts at prediction time, as quantiles over all classes; the two
    outer bins are unbounded. Bin edges are accurate to 1.6 % of the number, or of the range of the numbers if that is
    much smaller; but at best to 6e-8 of the number, so subtract a constant first from numbers such as timestamps.
    Missing and unknown features are ignored.

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
        self._drop_tables()

    def _check(self, feature: Hashable, value: Any) -> int:
        return interval_of(finite_number(feature, value))

    def feature_log_likelihoods(self, feature: Hashable, value: int) -> dict[ClassName, float]:
        """log P(bin of grid interval `value` | y) of every class; ``{}`` for an unknown feature."""
        if feature not in self._statistics.features:
            return {}
        table = self._table(feature)
        return dict(self._log_shares(table, table.bins(self.bins).bin_of(value)))

    def cuts(self, feature: Hashable) -> tuple[float, ...]:
        """The inner edges of a feature's bins, ascending; a bin includes its lower edge. Raises KeyError for an unknown
        feature.

        Args:
            feature: Name of the feature.
        """
        bins = self._table(feature).bins(self.bins)
        return tuple(bins.grid.start(interval) for interval in bins.starts)

    def _support(self, feature: Hashable, value: int) -> dict[ClassName, float]:
        table = self._table(feature)
        return table.counts(self.bins, table.bins(self.bins).bin_of(value), self.classes)

    def _own_log_likelihood(self, feature: Hashable, label: Label) -> float:
        table = self._table(feature)
        numbers = range(table.bins(self.bins).number)
        counts = [table.counts(self.bins, number, [label])[label] for number in numbers]
        shares = [self._log_shares(table, number)[label] for number in numbers]
        return math.fsum(count * share for count, share in zip(counts, shares, strict=True) if count)

    def _log_shares(self, table: BinTable, number: int) -> dict[ClassName, float]:
        """log P(bin `number` | y) of every class."""
        state = self.smoothing, self._epoch
        return table.log_shares(self.bins, number, self.smoothing, self._statistics.units, state)

    def _count(self, values: Values, label: Label, sign: int) -> None:
        """See `FeatureNB._count`; the tables that agree with the statistics change with them."""
        self._drop_stale_tables()
        self._statistics.count(values, label, sign)
        for feature, interval in values:
            table = self._tables.pop(feature, None)
            if table is not None:
                self._cells -= table.cells
                if table.add(label, interval, sign * UNIT):
                    self._keep(feature, table)
        self._epoch = self._statistics.epoch

    def _table(self, feature: Hashable) -> BinTable:
        """The table of a feature that has values. Raises KeyError otherwise."""
        self._drop_stale_tables()
        table = self._tables.get(feature)
        if table is None:
            table = BinTable(self._statistics.features[feature])
            self._keep(feature, table)
        return table

    def _keep(self, feature: Hashable, table: BinTable) -> None:
        if self._cells + table.cells > _MOST_CELLS:
            self._drop_tables()
        self._tables[feature] = table
        self._cells += table.cells

    def _drop_stale_tables(self) -> None:
        if self._epoch != self._statistics.epoch:
            self._drop_tables()
            self._epoch = self._statistics.epoch

    def _drop_tables(self) -> None:
        self._tables: dict[Hashable, BinTable] = {}
        self._cells = 0
