"""What words, numbers and categories each alone predicted of the labels learned, and what they weigh by that."""

from __future__ import annotations

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import PARTS, POOL_BINS


class PartPool:
    """Labels counted by the margins that each part of a message alone gave them: `counts`, in 1/256 of a message.

    A cell is a bin of each part's margin (`kernels.pool_cell`).
    """

    def __init__(self) -> None:
        self.counts = np.zeros(POOL_BINS**PARTS, np.int64)
        self._filled = np.zeros(0, np.int64)
        self._weights: tuple[float, float] | None = None
        self._classes = 0

    def add(self, cell: int, units: int) -> None:
        """Count a label in a cell, in 1/256 of a message; less than 0 takes it back."""
        before = self.counts.item(cell)
        self.counts[cell] = before + units
        self._weights = None
        if not before or not before + units:
            self._filled = np.flatnonzero(self.counts)

    def merge(self, other: PartPool, sign: int) -> None:
        """Add (sign 1) or take back (-1) the labels of another pool."""
        self.counts += sign * other.counts
        self.changed()

    def decay(self, factor: float) -> None:
        """Multiply everything by `factor`, 0 to 1, in whole units."""
        self.counts[...] = np.rint(self.counts * factor).astype(np.int64)
        self.changed()

    def changed(self) -> None:
        """Note that `counts` has been changed from outside."""
        self._filled = np.flatnonzero(self.counts)
        self._weights = None

    def weights(self, classes: int) -> tuple[float, float]:
        """What numbers and categories weigh beside words, among so many classes (`kernels.part_weights`)."""
        weights = self._weights
        if weights is None or classes != self._classes:
            numbers, categories = kernels.part_weights(self.counts, self._filled, classes)
            weights = self._weights = (float(numbers), float(categories))
            self._classes = classes
        return weights
