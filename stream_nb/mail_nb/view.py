"""What `MailNB` has learned, to read: features, labels, sources of labels and margins."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stream_nb.features.view import CountsView
from stream_nb.kernels.gram_layout import GRAM_MARK
from stream_nb.kernels.layout import DOUBT_UNIT, UNIT, MailTotal
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.tabular.number_table import NumberSummary
from stream_nb.types import Label


class SourceSums(NamedTuple):
    """Labels of a source that count now, and how many of them the model doubts."""

    labels: int
    doubt: float


class StarterSums(NamedTuple):
    """What a model begins with: how many words and pairs, how many numbers and categories, and how much of each count
    of the former is added to the model's own now, 0 to 1."""

    features: int
    named: int
    share: float


class MailView(CountsView[MailStatistics]):
    """The statistics of a `MailNB` as they are now: see `CountsView` for its features."""

    @property
    def labels(self) -> dict[Label, int]:
        """How many labels of each class count now."""
        return dict(zip(self.classes, self._counts.totals[:, MailTotal.LABELS].tolist(), strict=True))

    @property
    def sources(self) -> dict[str, SourceSums]:
        """What is known of each source of labels, in the order of their names."""
        sums = {name: sums.tolist() for name, sums in sorted(self._counts.sources.items())}
        return {name: SourceSums(labels, doubt / DOUBT_UNIT) for name, (labels, doubt) in sums.items()}

    def counts(self, numbers: np.ndarray | None = None) -> np.ndarray:
        """How much of each feature (all, or those with these numbers) each class has learned, in messages, as it is
        read: 0 where labels of other classes took back more, float64[features, classes]."""
        return np.maximum(self.balances(numbers), 0.0)

    def is_word(self) -> np.ndarray:
        """Of each feature, whether it is a word, and neither a pair of words nor a character n-gram: bool[features]."""
        words = super().is_word()
        if self._extractor.grams:
            table = self._counts.table
            words[words] &= table.arena[table.names[words, 0] + 1] != GRAM_MARK
        return words

    def balances(self, numbers: np.ndarray | None = None) -> np.ndarray:
        """As `counts`, less all that was taken back, so that it may be below 0."""
        return super().counts(numbers)

    def sums(self) -> np.ndarray:
        """What the labels of each class have added to the counts of all features, whatever others took back of it, as
        it is read: 0 where less than nothing is left, float64[classes]."""
        totals = self._counts.totals
        return np.maximum(totals[:, MailTotal.MASS] + totals[:, MailTotal.TAKEN], 0) / UNIT

    def sums_with_starter(self) -> np.ndarray:
        """`sums`, and what of the starter's is added to them when a mail is scored."""
        counts, starter = self._counts, self._counts.starter
        if starter is None:
            return self.sums()
        columns = [starter.columns.get(label, -1) for label in counts.classes]
        masses = [starter.totals[c, MailTotal.MASS] / UNIT if c >= 0 else 0.0 for c in columns]
        return self.sums() + counts.starter_share * np.array(masses)

    def shrunk(self, shrink: Callable[[np.ndarray], np.ndarray], most: float) -> MailStatistics:
        """A copy with words, pairs, numbers and categories, as if less of each had been counted, and no label learned;
        without the starter.

        Args:
            shrink: From how much of a word or pair all classes have counted to how much of it is left, both in mails,
                float64[features, 1].
            most: How many mails of a class are left of a number or category that had more.
        """
        return self._counts.shrunk(shrink, most)

    def margins(self, label: Label) -> np.ndarray:
        """The histogram of the margins that labels of a class were learned at, believed or not: bins from -4 to 4,
        int64 in 1/256. Labels that came before there was another class are not in it.

        Raises:
            KeyError: The class has not been met.
        """
        if label not in self._counts.columns:
            raise KeyError(f"class {label!r} is not among {list(self.classes)}")
        return self._counts.totals[self._counts.columns[label], MailTotal.ALL_MARGINS :].copy()

    @property
    def starter(self) -> StarterSums | None:
        """What is known of the starter; None without one."""
        starter = self._counts.starter
        if starter is None:
            return None
        named = starter.tabular.numbers.known + starter.tabular.categories.known
        return StarterSums(starter.table.live, named, self._counts.starter_share)

    @property
    def named(self) -> int:
        """How many numbers and categories have been counted, beside those of the starter, which are counted on."""
        table, starter = self._counts.tabular, self.starter
        return table.numbers.known + table.categories.known - (starter.named if starter is not None else 0)

    @property
    def part_weights(self) -> tuple[float, float]:
        """What numbers and categories weigh in a score beside words, whose weight is 1."""
        table = self._counts.tabular
        return table.pool.weights(table.columns)

    @property
    def numbers(self) -> dict[str, dict[Label, NumberSummary]]:
        """Each number met, in the order of their names: values, mean and deviation in each class."""
        table, columns = self._counts.tabular.numbers, self._counts.columns
        return {
            name: {label: table.summary(name, column) for label, column in columns.items()}
            for name in sorted(table.slots)
        }

    def histogram(self, name: str) -> list[tuple[float, float, dict[Label, float]]]:
        """Where the values of a number lie, rising: low end, high end, messages of each class.

        Raises:
            KeyError: No such number has been met.
        """
        classes = self._counts.classes
        return [
            (low, high, dict(zip(classes, counts, strict=True)))
            for low, high, counts in self._counts.tabular.numbers.histogram(name)
        ]

    @property
    def categories(self) -> dict[str, dict[str | bool, dict[Label, float]]]:
        """Each category met, in the order of their names: its values with the messages of each class."""
        table = self._counts.tabular.categories
        found: dict[str, dict[str | bool, dict[Label, float]]] = {name: {} for name in sorted(table.names)}
        for (name, value), row in table.values.items():
            counts = (table.counts[row] / UNIT).tolist()
            found[name][value] = dict(zip(self._counts.classes, counts, strict=True))
        return found

    def same_counts(self, counts: MailStatistics) -> bool:
        """Whether others count the same, whatever is known of the texts of words."""
        (values, arrays), (other_values, others) = self._counts.pack(), counts.pack()
        for each in (arrays, others):
            for name in [name for name in each if name.endswith(("lengths", "texts"))]:
                del each[name]
        same = values == other_values and arrays.keys() == others.keys()
        return same and all(np.array_equal(array, others[name]) for name, array in arrays.items())
