"""A read-only view of what a model over words has counted."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np

from stream_nb.features.class_counts import ClassCounts
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.features.gram_layout import GRAM
from stream_nb.kernels.layout import UNIT
from stream_nb.types import ClassName

C = TypeVar("C", bound=ClassCounts)


class CountsView(Generic[C]):
    """The current statistics of a model, feature by feature: `model.statistics`.

    Each feature has a row, from 0 to `features` - 1. Rows are valid until the model learns, unlearns, merges, decays or
    evicts. A feature may keep its row after all its counts have become 0. All methods return copies and leave the model
    unchanged.

    >>> from stream_nb import MultinomialNB
    >>> model = MultinomialNB()
    >>> model.learn_one("free money", "spam"); model.learn_one("lunch", "ham")
    >>> rows = model.statistics.find("money for lunch")
    >>> [model.statistics.text(row) for row in rows]
    ['money', 'lunch']
    >>> model.statistics.counts(rows).tolist()  # occurrences by class: spam, ham
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, counts: C, extractor: Extractor) -> None:
        self._counts = counts
        self._extractor = extractor

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes, in the order of the columns of `counts`."""
        return self._counts.classes

    @property
    def features(self) -> int:
        """The number of features that have a row."""
        return self._counts.table.used

    def counts(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Return the counts of all features, or of those in these rows, by class: float64[features, classes].

        The unit is a message; for a model that counts occurrences, it is an occurrence.
        """
        table = self._counts.table.counts[:, :: self._counts.COUNTERS]
        return (table if rows is None else table[rows]).astype(np.float64) / UNIT

    def sums(self) -> np.ndarray:
        """Return the sums of `counts` over all features, float64[classes]."""
        return self._counts.table.sums()[:: self._counts.COUNTERS] / UNIT

    def is_word(self) -> np.ndarray:
        """Return for each feature whether it is not a pair of words: bool[features]."""
        table = self._counts.table
        return table.names(slice(table.used))[:, 1] == 0

    def text(self, row: int) -> str:
        """Return the word or words of a feature, as first seen."""
        return self._counts.table.text_of(row)

    def find(self, x: Any, pairs: bool = True) -> np.ndarray:
        """Return the rows of the distinct known features of a message, int64, in order of first appearance.

        Without `pairs`, only words are returned. Raises TypeError if `x` is not a message.
        """
        extractor = self._extractor
        extractor.extract(x)
        extractor.rows_owner = None  # a model must look up the rows again before it scores
        self._counts.table.find(extractor)
        rows, kinds = extractor.row_ids[: extractor.n], extractor.token_spans[: extractor.n, 2]
        return rows[(rows >= 0) & (pairs | ((kinds >= 0) & (kinds < GRAM)))].copy()

    def add_to(self, counts: C, sign: int) -> None:
        """Add these statistics to `counts` (sign 1), or subtract them (-1)."""
        counts.merge(self._counts, sign)
