"""Counts of the labels of each originator's mails: how many contradicted the model, and runs of the same label.

Originators are identified by a keyed 16-bit hash, which bounds the memory that ever-new addresses can use. Addresses
with the same hash are counted as one originator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Self

import numpy as np

from stream_nb import snapshot
from stream_nb.kernels.layout import OriginatorCount
from stream_nb.types import ClassName, Label, OriginatorUpdate

_LABELS, _CONTRADICTING, _RUNS = map(int, (OriginatorCount.LABELS, OriginatorCount.CONTRADICTING, OriginatorCount.RUNS))
# Integers, because access to enum members is slow.
_KEY_BYTES = 64
_MOST = 1 << 40  # largest absolute count that `unpack` accepts, so that sums cannot overflow
ARRAYS = ("originators", "originator_counts")
"""The names of the arrays that `OriginatorCounts.pack` returns."""

UNKNOWN = np.zeros(0, np.int64)
"""The counts of an unknown originator."""


def originator_cell(originator: str, key: bytes) -> int:
    """The cell in which an originator is counted, 0 to 65535.

    Args:
        originator: An address, not empty.
        key: The secret key of the model.
    """
    return int.from_bytes(blake2b(originator.encode("utf-8", "replace"), digest_size=2, key=key[:_KEY_BYTES]).digest())


def originator_update(
    cell: int, contradicts: bool, label: Label, columns: Mapping[ClassName, int], runs: Sequence[int]
) -> OriginatorUpdate:
    """What a label adds: it ends the runs of other classes, and extends that of its own class if it contradicts the
    model.

    Args:
        cell: The originator.
        contradicts: Whether the label contradicts the model.
        label: The label.
        columns: The column of each class.
        runs: The run of each column before the label; empty if there are none.
    """
    changes = [(each, -runs[column]) for each, column in columns.items() if runs and each != label and runs[column]]
    if contradicts:
        changes.append((label, 1))
    return OriginatorUpdate(cell, int(contradicts), tuple(changes))


class OriginatorCounts:
    """Counts by originator, laid out by `OriginatorCount`; an originator is removed when all its counts are 0.

    Args:
        columns: Number of classes.
    """

    def __init__(self, columns: int = 0) -> None:
        self.columns = columns
        self.cells: dict[int, list[int]] = {}
        """The counts of each originator by its cell."""

    @property
    def empty(self) -> bool:
        """Whether nothing is counted."""
        return not self.cells

    def counts(self, cell: int) -> np.ndarray:
        """The counts of an originator, int64[RUNS + columns]; zeros if there are none."""
        counts = self.cells.get(cell)
        return np.zeros(_RUNS + self.columns, np.int64) if counts is None else np.array(counts, np.int64)

    def update(self, cell: int, contradicts: bool, label: Label, columns: Mapping[ClassName, int]) -> OriginatorUpdate:
        """What a label adds (`originator_update`)."""
        return originator_update(cell, contradicts, label, columns, self.cells.get(cell, [])[_RUNS:])

    def put(self, cell: int, counts: list[int]) -> None:
        """Replace the counts of an originator."""
        if any(counts):
            self.cells[cell] = counts
        else:
            self.cells.pop(cell, None)

    def add_update(self, update: OriginatorUpdate, columns: Mapping[ClassName, int], sign: int) -> None:
        """Add `sign` times an update; `columns` maps its classes to columns here."""
        counts = self.cells.setdefault(update.cell, [0] * (_RUNS + self.columns))
        counts[_LABELS] += sign
        counts[_CONTRADICTING] += sign * update.contradicting
        for label, amount in update.runs:
            counts[_RUNS + columns[label]] += sign * amount
        if not any(counts):
            del self.cells[update.cell]

    def add_column(self) -> None:
        """Append a class with counts of 0."""
        self.columns += 1
        for counts in self.cells.values():
            counts.append(0)

    def keep_columns(self, columns: Sequence[int]) -> None:
        """Keep only these classes, in this order."""
        self.columns = len(columns)
        for cell, counts in list(self.cells.items()):
            self.put(cell, [*counts[:_RUNS], *(counts[_RUNS + column] for column in columns)])

    def holds(self, column: int) -> bool:
        """Whether a class has a run."""
        return any(counts[_RUNS + column] for counts in self.cells.values())

    def merge(self, other: Self, columns: Sequence[int], sign: int = 1) -> None:
        """Add (sign 1) or subtract (sign -1) other counts, whose column c is columns[c] here."""
        indices = (*range(_RUNS), *(_RUNS + column for column in columns))
        for cell, counts in list(other.cells.items()):
            own = self.cells.get(cell)
            if own is None:
                own = self.cells[cell] = [0] * (_RUNS + self.columns)
            for index, count in zip(indices, counts, strict=True):
                if count:
                    own[index] += sign * count
            if not any(own):
                del self.cells[cell]

    def scale(self, factor: float) -> None:
        """Multiply all counts by `factor`, rounded to integers."""
        scaled = {cell: [round(count * factor) for count in counts] for cell, counts in self.cells.items()}
        self.cells = {cell: counts for cell, counts in scaled.items() if any(counts)}

    def copy(self) -> Self:
        """An independent copy."""
        twin = type(self)(self.columns)
        twin.cells = {cell: list(counts) for cell, counts in self.cells.items()}
        return twin

    def pack(self, order: Sequence[int]) -> dict[str, np.ndarray]:
        """The cells (uint16) and their counts as flat arrays, with the classes in this order; ``{}`` if empty. Equal
        counts give equal arrays."""
        if not self.cells:
            return {}
        cells, indices = sorted(self.cells), [*range(_RUNS), *(_RUNS + column for column in order)]
        counts = np.array([[self.cells[cell][index] for index in indices] for cell in cells], np.int64)
        return dict(zip(ARRAYS, (np.array(cells, np.uint16), snapshot.smallest(counts.ravel())), strict=True))

    @classmethod
    def unpack(cls, arrays: dict[str, np.ndarray], columns: int) -> Self:
        """Restore counts with `columns` classes from the result of `pack`, removing its arrays from `arrays`. Raises
        ValueError if they are invalid."""
        originators = cls(columns)
        if ARRAYS[0] not in arrays:
            return originators
        cells, counts = (arrays.pop(name) for name in ARRAYS)
        numbers: list[int] = cells.tolist()  # lists, because they are faster than numpy for the few in changes
        rows: list[list[int]] = counts.reshape(len(cells), _RUNS + columns).tolist()
        if cells.dtype != np.uint16 or len(set(numbers)) < len(numbers):
            raise ValueError("an originator is outside 0 to 65535, or occurs twice")
        for cell, row in zip(numbers, rows, strict=True):
            if max(row) > _MOST or min(row) < -_MOST:
                raise ValueError(f"a count of an originator's labels is beyond {_MOST:,}")
            if any(row):
                originators.cells[cell] = row
        return originators
