"""What labels of the mails of each originator have said: whether they contradicted the model, and the same as before.

Originators are counted by a keyed hash of 16 bits, so that whoever sends from ever-new addresses takes bounded room;
addresses that share one are taken for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Self

import numpy as np

from stream_nb import snapshot
from stream_nb.kernels.layout import OriginatorCount
from stream_nb.types import Label, OriginatorUpdate

_LABELS, _CONTRADICTING, _RUNS = map(int, (OriginatorCount.LABELS, OriginatorCount.CONTRADICTING, OriginatorCount.RUNS))
# Members of enumerations are slow to reach.
_KEY_BYTES = 64
_MOST = 1 << 40  # of a count that is read; so no sum of them overflows
ARRAYS = ("originators", "originator_counts")
"""The arrays that `OriginatorCounts.pack` gives."""

UNKNOWN = np.zeros(0, np.int64)
"""The counts of an originator that is not known."""


def originator_cell(originator: str, key: bytes) -> int:
    """The number under which an originator is counted, 0 to 65535.

    Args:
        originator: An address, not empty.
        key: The secret key of the model.
    """
    return int.from_bytes(blake2b(originator.encode("utf-8", "replace"), digest_size=2, key=key[:_KEY_BYTES]).digest())


class OriginatorCounts:
    """Counts by originator, laid out by `OriginatorCount`; those of which nothing is left are gone.

    Args:
        columns: How many classes there are.
    """

    def __init__(self, columns: int = 0) -> None:
        self.columns = columns
        self.cells: dict[int, list[int]] = {}
        """The counts of each originator by its number."""

    @property
    def empty(self) -> bool:
        """Nothing is counted."""
        return not self.cells

    def counts(self, cell: int) -> np.ndarray:
        """The counts of an originator, int64[RUNS + columns]; zeros where there are none."""
        found = self.cells.get(cell)
        return np.zeros(_RUNS + self.columns, np.int64) if found is None else np.array(found, np.int64)

    def update(self, cell: int, contradicts: bool, label: Label, columns: Mapping[Label, int]) -> OriginatorUpdate:
        """What a label adds: it ends the runs of other classes, and goes on with its own if it contradicts the model.

        Args:
            cell: The originator.
            contradicts: Whether the label contradicts the model.
            label: The label.
            columns: The number of each class here.
        """
        runs = self.cells.get(cell, [])[_RUNS:]
        added = [(each, -runs[column]) for each, column in columns.items() if runs and each != label and runs[column]]
        if contradicts:
            added.append((label, 1))
        return OriginatorUpdate(cell, int(contradicts), tuple(added))

    def add_update(self, update: OriginatorUpdate, columns: Mapping[Label, int], sign: int) -> None:
        """Add `sign` times an update, whose classes have these numbers here."""
        counts = self.cells.setdefault(update.cell, [0] * (_RUNS + self.columns))
        counts[_LABELS] += sign
        counts[_CONTRADICTING] += sign * update.contradicting
        for label, amount in update.runs:
            counts[_RUNS + columns[label]] += sign * amount
        if not any(counts):
            del self.cells[update.cell]

    def add_column(self) -> None:
        """A class joins."""
        self.columns += 1
        for counts in self.cells.values():
            counts.append(0)

    def keep_columns(self, columns: Sequence[int]) -> None:
        """Only these classes stay, in this order; of the others no run is counted."""
        self.columns = len(columns)
        for counts in self.cells.values():
            counts[_RUNS:] = [counts[_RUNS + column] for column in columns]

    def holds(self, column: int) -> bool:
        """Whether a run of a class is counted."""
        return any(counts[_RUNS + column] for counts in self.cells.values())

    def merge(self, other: Self, columns: Sequence[int], sign: int = 1) -> None:
        """Add (sign 1) or take back (-1) other counts, whose column c is columns[c] here."""
        places = (*range(_RUNS), *(_RUNS + column for column in columns))
        for cell, counts in list(other.cells.items()):
            found = self.cells.setdefault(cell, [0] * (_RUNS + self.columns))
            for place, count in zip(places, counts, strict=True):
                found[place] += sign * count
            if not any(found):
                del self.cells[cell]

    def scale(self, factor: float) -> None:
        """Multiply all counts by `factor`, in whole numbers."""
        scaled = {cell: [round(count * factor) for count in counts] for cell, counts in self.cells.items()}
        self.cells = {cell: counts for cell, counts in scaled.items() if any(counts)}

    def copy(self) -> Self:
        """The same counts, sharing nothing."""
        twin = type(self)(self.columns)
        twin.cells = {cell: list(counts) for cell, counts in self.cells.items()}
        return twin

    def pack(self, order: Sequence[int]) -> dict[str, np.ndarray]:
        """The cells (uint16) and their counts as flat arrays, classes in this order; equal counts give equal ones, and
        none nothing."""
        if not self.cells:
            return {}
        cells, kept = sorted(self.cells), [*range(_RUNS), *(_RUNS + column for column in order)]
        counts = np.array([[self.cells[cell][place] for place in kept] for cell in cells], np.int64)
        return dict(zip(ARRAYS, (np.array(cells, np.uint16), snapshot.smallest(counts.ravel())), strict=True))

    @classmethod
    def unpack(cls, arrays: dict[str, np.ndarray], columns: int) -> Self:
        """What `pack` gave, of so many classes, is taken out of these arrays. Raises ValueError for anything else."""
        found = cls(columns)
        if ARRAYS[0] not in arrays:
            return found
        cells, counts = (arrays.pop(name) for name in ARRAYS)
        numbers: list[int] = cells.tolist()  # of the few that changes have, faster than NumPy
        rows: list[list[int]] = counts.reshape(len(cells), _RUNS + columns).tolist()
        if cells.dtype != np.uint16 or len(set(numbers)) < len(numbers):
            raise ValueError("originators with other numbers than 0 to 65535, or one twice")
        for cell, row in zip(numbers, rows, strict=True):
            if max(row) > _MOST or min(row) < -_MOST:
                raise ValueError(f"a count of an originator's labels beyond {_MOST:,}")
            if any(row):
                found.cells[cell] = row
        return found
