"""What words, numbers and categories each alone predicted of the labels learned, and what they weigh by that."""

from __future__ import annotations

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import POOL_CELLS, PartWeight, Place


class PartPool:
    """Labels counted by the margins that each part of a message, and own counts and a starter, alone gave them:
    `counts`, in 1/256 of a message.

    A cell is a bin of each part's margin (`kernels.pool_cell`, `kernels.starter_cell`).
    """

    def __init__(self) -> None:
        self.workspace = kernels.Workspace()
        self.workspace.bind(Place.POOL_COUNTS, np.zeros(POOL_CELLS, np.int64))
        self.workspace.bind(Place.POOL_FILLED, np.full(POOL_CELLS + 1, -1, np.int64))
        self.workspace.bind(Place.PART_WEIGHTS, np.zeros(len(PartWeight)))

    @property
    def counts(self) -> np.ndarray:
        """Labels by cell, int64."""
        return self.workspace[Place.POOL_COUNTS]

    def add(self, cell: int, units: int) -> None:
        """Count a label in a cell, in 1/256 of a message; less than 0 takes it back."""
        kernels.add_to_pool(cell, units, self.workspace.addresses)

    def merge(self, other: PartPool, sign: int) -> None:
        """Add (sign 1) or take back (-1) the labels of another pool."""
        counts = self.counts
        counts += sign * other.counts
        self.changed()

    def decay(self, factor: float) -> None:
        """Multiply everything by `factor`, 0 to 1, in whole units."""
        self.counts[...] = np.rint(self.counts * factor).astype(np.int64)
        self.changed()

    def changed(self) -> None:
        """Note that `counts` has been changed from outside."""
        kernels.list_filled(self.workspace.addresses)

    def weights(self, classes: int) -> tuple[float, float]:
        """What numbers and categories weigh beside words, among so many classes (`kernels.part_weights`)."""
        kernels.part_weights(classes, self.workspace.addresses)
        numbers, categories, _ = self.workspace[Place.PART_WEIGHTS].tolist()
        return numbers, categories

    def starter_share(self, classes: int) -> float:
        """How much of a starter's counts the labels speak for, among so many classes (`kernels.starter_share`)."""
        return float(kernels.starter_share(classes, self.workspace.addresses))
