"""The weights of words, numbers and categories, learned from how well each part alone predicted past labels."""

from __future__ import annotations

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import POOL_CELLS, PartWeight, Slot


class PartPool:
    """A joint histogram of the margins of past labels: under each part of the message alone, and under the model's own
    counts and the starter's alone.

    A cell is a combination of bins, one per part (`kernels.pool_cell`, `kernels.starter_cell`). `counts` has the labels
    in each cell, in 1/256 of a message.
    """

    def __init__(self) -> None:
        self.workspace = kernels.Workspace()
        self.workspace.bind(Slot.POOL_COUNTS, np.zeros(POOL_CELLS, np.int64))
        self.workspace.bind(Slot.POOL_FILLED, np.full(POOL_CELLS + 1, -1, np.int64))
        self.workspace.bind(Slot.PART_WEIGHTS, np.zeros(len(PartWeight)))

    @property
    def counts(self) -> np.ndarray:
        """Labels in each cell, int64, in 1/256 of a message."""
        return self.workspace[Slot.POOL_COUNTS]

    def add(self, cell: int, units: int) -> None:
        """Count a label in a cell with weight `units`, in 1/256 of a message; negative to subtract it."""
        kernels.add_to_pool(cell, units, self.workspace.addresses)

    def merge(self, other: PartPool, sign: int) -> None:
        """Add (sign 1) or subtract (sign -1) the labels of another pool."""
        counts = self.counts
        counts += sign * other.counts
        self.changed()

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, 0 to 1, rounded to 1/256 of a message."""
        self.counts[...] = np.rint(self.counts * factor).astype(np.int64)
        self.changed()

    def changed(self) -> None:
        """Update derived data after a direct change of `counts`."""
        kernels.list_filled(self.workspace.addresses)

    def weights(self, classes: int) -> tuple[float, float]:
        """The weights of numbers and categories relative to words (`kernels.part_weights`)."""
        kernels.part_weights(classes, self.workspace.addresses)
        numbers, categories, _ = self.workspace[Slot.PART_WEIGHTS].tolist()
        return numbers, categories

    def starter_share(self, classes: int) -> float:
        """The share of the starter's counts that labels support, 0 to 1 (`kernels.starter_share`)."""
        return float(kernels.starter_share(classes, self.workspace.addresses))
