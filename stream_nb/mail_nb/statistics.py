"""The statistics of `MailNB`: its whole state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np

from stream_nb.errors import SnapshotError
from stream_nb.features.canonical import Canonical
from stream_nb.features.class_counts import ClassCounts
from stream_nb.features.count_table import CountTable
from stream_nb.kernels.layout import MAIL_TOTALS, UNIT, MailTotal
from stream_nb.mail_nb.originator_counts import OriginatorCounts
from stream_nb.mail_nb.sources import new_source, read_sources
from stream_nb.tabular import feature_snapshot
from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.tabular.shrink import shrunk
from stream_nb.types import ClassName, Label

_STARTER = "starter_"
_LABELS = int(MailTotal.LABELS)
_FADE = 500.0  # number of labels after which half of a starter's share is left


class MailStatistics(ClassCounts):
    """One counter per feature and class, totals laid out by `layout.MailTotal`, and sums for each source of labels.

    `tabular` counts the numbers and categories of mails, `originators` the labels of each originator's mails; both have
    the same classes. `sources` maps a source to its labels and the doubt in them (int64[2], doubt in 1/65536).

    `starter` has the counts of a starter, or is None. They are never changed. A share of its words and pairs is added
    when a message is scored; its numbers and categories are also counted in `tabular`. Its classes are classes here,
    too.
    """

    COUNTERS = 1
    TOTALS = MAIL_TOTALS
    SUMS = slice(MailTotal.MASS, MailTotal.MASS + 1)

    def __init__(self) -> None:
        self.starter: MailStatistics | None = None
        self.tabular = FeatureTable()
        self.originators = OriginatorCounts()
        super().__init__()
        self.sources: dict[str, np.ndarray] = {}

    @property
    def labels(self) -> list[int]:
        """Number of labels of each class."""
        return self.totals[:, _LABELS].tolist()

    @property
    def labels_learned(self) -> int:
        """Number of labels in the statistics."""
        return sum(self.labels)  # faster than numpy's sum for so few numbers

    @property
    def empty(self) -> bool:
        """Whether nothing is counted, and there is no starter."""
        return not (self.classes or self.sources or self.starter) and self.tabular.empty and self.originators.empty

    @property
    def starter_share(self) -> float:
        """The share of the starter's counts that is added to the model's own at prediction time, 0 to 1.

        It is learned from labels (`kernels.starter_share`), times 500 / (500 + n) with n the labels of all classes but
        the largest, because early labels make a starter look better than it is later on.
        """
        labels = [max(number, 0) for number in self.labels]
        others = float(sum(labels) - max(labels, default=0))
        return _FADE / (_FADE + others) * self.tabular.pool.starter_share(len(self.classes))

    def source(self, name: str) -> np.ndarray:
        """Labels and doubt of a source, to be changed in place; a new source is added with zeros. Raises TypeError if
        the name is not text."""
        sums = self.sources.get(name)
        if sums is None:
            sums = self.sources[name] = new_source(name)
        return sums

    def column(self, label: Label) -> int:
        """The column of a class; a new class is added with counters of 0."""
        column = super().column(label)
        if column == self.tabular.columns:
            self.tabular.add_column()
            self.originators.add_column()
        return column

    def holds(self, column: int) -> bool:
        """Whether a class has counts, or is a class of the starter."""
        if super().holds(column) or (self.starter is not None and self.classes[column] in self.starter.columns):
            return True
        return self.tabular.holds(column) or self.originators.holds(column)

    def keep_classes(self, kept: list[ClassName]) -> None:
        """Remove all other classes with their counts."""
        columns = [self.columns[label] for label in kept]
        self.tabular.keep_columns(columns)
        self.originators.keep_columns(columns)
        super().keep_classes(kept)

    def forget_unlabelled(self, label: Label) -> None:
        """Remove a class without labels, and its counts, unless the starter has it."""
        known = self.starter is not None and label in self.starter.columns
        if label in self.columns and self.totals[self.columns[label], _LABELS] <= 0 and not known:
            self.keep_classes([each for each in self.classes if each != label])

    def evict(self, most: int, hash_multipliers: np.ndarray) -> int:
        """Evict the rarest words and pairs until at most `most` are left, and the rarest numbers and category values
        until these use at most `most` rows. Returns how many were evicted."""
        evicted = super().evict(most, hash_multipliers) + self.tabular.evict(most)
        self.forget(())
        return evicted

    # The signature is narrower than the base class's, because `other` must be of this class.
    def merge(self, other: Self, sign: int = 1) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Add (sign 1) or subtract (sign -1) other statistics with the same hash key. Raises ValueError, and changes
        nothing, if a total would be too large."""
        self.check_room(other, sign)
        if other.starter is not None:
            self._merge_starter(other.starter, sign)
        columns = [self.column(label) for label in other.classes]
        self.tabular.merge(other.tabular, columns, sign)
        self.originators.merge(other.originators, columns, sign)
        super().merge(other, sign)
        self.add_sources(other.sources, sign)
        self.forget(list(other.sources))  # `other` may be these statistics

    def _merge_starter(self, starter: MailStatistics, sign: int) -> None:
        if self.starter is None and sign > 0:
            self.begin_with(starter)
            return
        merged = MailStatistics() if self.starter is None else self.starter.copy()
        merged.merge(starter, sign)
        self.begin_with(None if merged.empty else merged)

    def begin_with(self, starter: MailStatistics | None) -> None:
        """Replace the starter, which must not be changed afterwards; `tabular` does not change."""
        self.starter = starter
        for label in starter.classes if starter is not None else ():
            self.column(label)
        self.hold(self.classes, self.totals, self.table)  # so that scorers notice the change

    def count_starter(self, sign: int) -> None:
        """Add (sign 1) or subtract (sign -1) the starter's numbers and categories."""
        if self.starter is not None:
            self.tabular.merge(self.starter.tabular, [self.columns[label] for label in self.starter.classes], sign)

    def add_sources(self, sources: dict[str, np.ndarray], sign: int) -> None:
        """Add (sign 1) or subtract (sign -1) sums of sources; the caller removes what is empty then (`forget`)."""
        for name, sums in sources.items():
            self.source(name)[:] += sign * sums

    def decay(self, factor: float) -> None:
        """Multiply everything except the starter by `factor`, rounded. Raises ValueError unless it is 0 to 1."""
        super().decay(factor)
        self.count_starter(-1)
        self.tabular.decay(factor)
        self.count_starter(1)
        self.originators.scale(factor)
        self.sources = {name: np.rint(sums * factor).astype(np.int64) for name, sums in self.sources.items()}
        self.forget(list(self.sources))

    def shrunk(self, shrink: Callable[[np.ndarray], np.ndarray], most: float) -> Self:
        """See `MailView.shrunk`."""
        twin = self.copy()
        counts = np.maximum(twin.table.counts, 0)
        twin.table.counts[:] = counts
        mails = counts.sum(axis=1, keepdims=True) / UNIT
        twin.table.scale(np.divide(shrink(mails), mails, out=np.zeros_like(mails), where=mails > 0))
        twin.count_starter(-1)
        twin.tabular = shrunk(twin.tabular, most)
        twin.originators = OriginatorCounts(len(twin.classes))
        twin.totals[:] = 0
        twin.totals[:, self.SUMS] = twin.table.sums().reshape(-1, 1)
        twin.sources = {}
        twin.begin_with(None)
        twin.forget_empty(twin.classes)
        return twin

    def forget(self, sources: Iterable[str]) -> None:
        """Remove those of these sources, and all classes, of which nothing is left, as if they had never been seen."""
        for name in sources:
            if not any(self.sources[name].tolist()):
                del self.sources[name]
        if min(self.labels, default=1) <= 0:  # a class with labels has counts
            self.forget_empty(self.classes)

    def copy(self) -> Self:
        """A copy that shares only the starter."""
        twin = type(self)()
        twin.tabular = self.tabular.copy()
        twin.originators = self.originators.copy()
        twin.hold(self.classes, self.totals.copy(), self.table.copy())
        twin.sources = {name: sums.copy() for name, sums in self.sources.items()}
        twin.starter = self.starter
        return twin

    def pack(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Values and arrays for `snapshot.pack`; equal statistics give equal results, in any order of learning."""
        sources = [[name, *sums.tolist()] for name, sums in sorted(self.sources.items()) if sums.any()]
        values: dict[str, Any] = {"classes": self.sorted_classes(), "sources": sources}
        columns = [self.columns[label] for label in self.sorted_classes()]
        arrays = self.arrays("tallies") | self.originators.pack(columns)
        if not self.tabular.empty:
            values["features"], more = feature_snapshot.pack(self.tabular, columns)
            arrays |= more
        if self.starter is not None:
            values["starter"], more = self.starter.pack()
            arrays |= {_STARTER + name: array for name, array in more.items()}
        return values, arrays

    @classmethod
    def unpack(cls, values: dict[str, Any], arrays: dict[str, np.ndarray], hash_multipliers: np.ndarray) -> Self:
        """Restore statistics from the result of `pack`. Raises SnapshotError if parts are missing or malformed."""
        try:
            statistics, names = cls(), {name for name in arrays if name.startswith(_STARTER)}
            starter_arrays = {name.removeprefix(_STARTER): arrays[name] for name in names}
            arrays = {name: array for name, array in arrays.items() if name not in names}
            statistics.tabular = FeatureTable(len(values["classes"]))
            if "features" in values:
                own = {name: arrays.pop(name) for name in feature_snapshot.ARRAYS}
                statistics.tabular = feature_snapshot.unpack(values["features"], own, len(values["classes"]))
            statistics.originators = OriginatorCounts.unpack(arrays, len(values["classes"]))
            totals = arrays.pop("tallies").astype(np.int64).reshape(-1, MAIL_TOTALS)
            table = CountTable.from_canonical(Canonical(**arrays), hash_multipliers)
            statistics.hold(values["classes"], totals, table)
            statistics.sources = read_sources(values["sources"])
            if "starter" in values:
                if "starter" in values["starter"]:
                    raise ValueError("a starter cannot have a starter of its own")
                statistics.begin_with(cls.unpack(values["starter"], starter_arrays, hash_multipliers))
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise SnapshotError(f"snapshot of mail counts with missing or malformed parts: {error}") from error
        return statistics
