"""What a model over words has counted, to read."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np

from stream_nb.features.class_counts import ClassCounts
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.gram_layout import GRAM
from stream_nb.kernels.layout import UNIT
from stream_nb.types import Label

C = TypeVar("C", bound=ClassCounts)


class CountsView(Generic[C]):
    """The statistics of a model as they are now, feature by feature: `model.statistics`.

    Features have numbers, from 0 to `features` - 1, that are good until the model learns, unlearns, merges, decays or
    evicts. A feature of which nothing is left may still have one, with counts of 0. What the methods return are copies;
    nothing here changes the model.

    >>> from stream_nb import MultinomialNB
    >>> model = MultinomialNB()
    >>> model.learn_one("free money", "spam"); model.learn_one("lunch", "ham")
    >>> numbers = model.statistics.find("money for lunch")
    >>> [model.statistics.text(number) for number in numbers]
    ['money', 'lunch']
    >>> model.statistics.counts(numbers).tolist()  # occurrences by class: spam, ham
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, counts: C, extractor: Extractor) -> None:
        self._counts = counts
        self._extractor = extractor

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes, in the order of the columns of `counts`."""
        return self._counts.classes

    @property
    def features(self) -> int:
        """How many features have a number."""
        return self._counts.table.used

    def counts(self, numbers: np.ndarray | None = None) -> np.ndarray:
        """How much of each feature (all, or those with these numbers) each class has learned, in messages; of a model
        that counts occurrences, how often: float64[features, classes]."""
        table = self._counts.table.counts[:, :: self._counts.COUNTERS]
        return (table if numbers is None else table[numbers]).astype(np.float64) / UNIT

    def sums(self) -> np.ndarray:
        """The sums of `counts` over all features, float64[classes]."""
        return self._counts.table.sums()[:: self._counts.COUNTERS] / UNIT

    def is_word(self) -> np.ndarray:
        """Of each feature, whether it is a word and no pair of words: bool[features]."""
        return self._counts.table.names[:, 1] == 0

    def text(self, number: int) -> str:
        """The word or words of a feature, as first met."""
        return self._counts.table.text_of(number)

    def find(self, x: Any, pairs: bool = True) -> np.ndarray:
        """The numbers of the distinct known features of a message, in order of first appearance; without `pairs` those
        of its words alone: int64. Raises TypeError for what is not a message."""
        extractor = self._extractor
        extractor.extract(x)
        extractor.rows_owner = None  # these rows are nobody's who scores
        self._counts.table.find(extractor)
        numbers, kinds = extractor.row_ids[: extractor.n], extractor.token_spans[: extractor.n, 2]
        return numbers[(numbers >= 0) & (pairs | ((kinds >= 0) & (kinds < GRAM)))].copy()

    def add_to(self, counts: C, sign: int) -> None:
        """Add these statistics to others (sign 1), or take them from those (-1)."""
        counts.merge(self._counts, sign)
