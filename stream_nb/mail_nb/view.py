"""A read-only view of what `MailNB` has learned: features, labels, sources of labels and margins."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stream_nb.features.view import CountsView
from stream_nb.kernels.features.gram_layout import GRAM_MARK
from stream_nb.kernels.layout import DOUBT_UNIT, UNIT, MailTotal
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.tabular.number_table import NumberSummary
from stream_nb.types import ClassName, Label


class SourceSums(NamedTuple):
    """The labels of a source in the statistics, and how many of them are expected to be wrong."""

    labels: int
    doubt: float


class StarterSums(NamedTuple):
    """A starter's numbers of words and pairs (`features`) and of numbers and categories (`named`), and the share of its
    words' and pairs' counts that is currently added to the model's own, 0 to 1."""

    features: int
    named: int
    share: float


class MailView(CountsView[MailStatistics]):
    """A live view of the statistics of a `MailNB`; see `CountsView` for its features."""

    @property
    def labels(self) -> dict[ClassName, int]:
        """Number of labels of each class in the statistics."""
        return dict(zip(self.classes, self._counts.totals[:, MailTotal.LABELS].tolist(), strict=True))

    @property
    def sources(self) -> dict[str, SourceSums]:
        """The sums of each source of labels, sorted by name."""
        return {name: _source_sums(sums) for name, sums in sorted(self._counts.sources.items())}

    def source(self, name: str) -> SourceSums | None:
        """The sums of one source of labels; None if no label of it is in the statistics."""
        sums = self._counts.sources.get(name)
        return None if sums is None else _source_sums(sums)

    def counts(self, rows: np.ndarray | None = None) -> np.ndarray:
        """The counts of all features, or of those in these rows, in messages, float64[features, classes].

        These are the counts used for scoring: a count is 0 if labels of other classes took more than was added.
        """
        return np.maximum(self.balances(rows), 0.0)

    def is_word(self) -> np.ndarray:
        """bool[features]: whether each feature is a word, as opposed to a pair of words or a character n-gram."""
        words = super().is_word()
        if self._extractor.grams:
            table = self._counts.table
            words[words] &= table.arena[table.names(np.flatnonzero(words))[:, 0] + 1] != GRAM_MARK
        return words

    def balances(self, rows: np.ndarray | None = None) -> np.ndarray:
        """The raw counts behind `counts`, which may be negative."""
        return super().counts(rows)

    def sums(self) -> np.ndarray:
        """The sum over all features that labels of each class have added, float64[classes], in messages. What labels of
        other classes took is not subtracted; a negative sum reads as 0."""
        totals = self._counts.totals
        return np.maximum(totals[:, MailTotal.MASS] + totals[:, MailTotal.TAKEN], 0) / UNIT

    def sums_with_starter(self) -> np.ndarray:
        """`sums` plus the share of the starter's sums that is added when a mail is scored."""
        counts, starter = self._counts, self._counts.starter
        if starter is None:
            return self.sums()
        columns = [starter.columns.get(label, -1) for label in counts.classes]
        masses = [starter.totals[c, MailTotal.MASS] / UNIT if c >= 0 else 0.0 for c in columns]
        return self.sums() + counts.starter_share * np.array(masses)

    def shrunk(self, shrink: Callable[[np.ndarray], np.ndarray], most: float) -> MailStatistics:
        """A copy with smaller counts of words, pairs, numbers and categories, without labels and without the starter.

        Args:
            shrink: Maps the count of each word or pair over all classes to its new count, both in mails,
                float64[features, 1]. The ratio of classes is kept.
            most: Maximum number of mails of each class per number or category.
        """
        return self._counts.shrunk(shrink, most)

    def margins(self, label: Label) -> np.ndarray:
        """The histogram of the margins of a class's labels, believed or not, at the time they were learned: bins from
        -4 to 4, int64, in 1/256 of a message. Labels learned before there was another class are not included.

        Raises:
            KeyError: The class is unknown.
        """
        return self._counts.totals[self._counts.known_column(label), MailTotal.ALL_MARGINS :].copy()

    @property
    def starter(self) -> StarterSums | None:
        """Size and share of the starter; None without one."""
        starter = self._counts.starter
        if starter is None:
            return None
        named = starter.tabular.numbers.known + starter.tabular.categories.known
        return StarterSums(starter.table.live, named, self._counts.starter_share)

    @property
    def named(self) -> int:
        """Number of numbers and categories with a count, less those of the starter, which share the same tables."""
        table, starter = self._counts.tabular, self.starter
        return table.numbers.known + table.categories.known - (starter.named if starter is not None else 0)

    @property
    def part_weights(self) -> tuple[float, float]:
        """The weights of numbers and categories in a score; the weight of words is 1."""
        table = self._counts.tabular
        return table.pool.weights(table.columns)

    @property
    def numbers(self) -> dict[str, dict[ClassName, NumberSummary]]:
        """Count, mean and standard deviation of each number in each class, sorted by name."""
        table, columns = self._counts.tabular.numbers, self._counts.columns
        return {
            name: {label: table.summary(name, column) for label, column in columns.items()}
            for name in sorted(table.slots)
        }

    def histogram(self, name: str) -> list[tuple[float, float, dict[ClassName, float]]]:
        """(low, high, messages of each class) of each histogram bin of a number that has values, ascending.

        Raises:
            KeyError: The number is unknown.
        """
        classes = self._counts.classes
        return [
            (low, high, dict(zip(classes, counts, strict=True)))
            for low, high, counts in self._counts.tabular.numbers.histogram(name)
        ]

    @property
    def categories(self) -> dict[str, dict[str | bool, dict[ClassName, float]]]:
        """Messages of each class by category and value; categories are sorted by name."""
        table = self._counts.tabular.categories
        messages: dict[str, dict[str | bool, dict[ClassName, float]]] = {name: {} for name in sorted(table.names)}
        for (name, value), row in table.values.items():
            counts = (table.counts[row] / UNIT).tolist()
            messages[name][value] = dict(zip(self._counts.classes, counts, strict=True))
        return messages

    def same_counts(self, counts: MailStatistics) -> bool:
        """Whether other statistics are equal, ignoring the texts of words."""
        (values, arrays), (other_values, others) = self._counts.pack(), counts.pack()
        for each in (arrays, others):
            for name in [name for name in each if name.endswith(("lengths", "texts"))]:
                del each[name]
        same = values == other_values and arrays.keys() == others.keys()
        return same and all(np.array_equal(array, others[name]) for name, array in arrays.items())


def _source_sums(sums: np.ndarray) -> SourceSums:
    labels, doubt = sums.tolist()
    return SourceSums(labels, doubt / DOUBT_UNIT)
