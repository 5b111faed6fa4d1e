"""Arrays of counters that grow by rows and have one column per class."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb.kernels.layout import Slot


class BoundArray:
    """An attribute of a table: an array that is bound to a slot of the table's `workspace`, where kernels find it."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    def __get__(self, table: Any, owner: type) -> np.ndarray:
        return table.workspace[self._slot]

    def __set__(self, table: Any, array: np.ndarray) -> None:
        table.workspace.bind(self._slot, array)


def grown(array: np.ndarray) -> np.ndarray:
    """A copy with twice as many rows; the new rows are zero."""
    larger = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def with_columns(array: np.ndarray, columns: list[int], first: int = 0) -> np.ndarray:
    """A copy whose column `first` + c is the old column `first` + columns[c], or zeros if columns[c] is -1. The columns
    before `first` are copied unchanged."""
    new = np.zeros((array.shape[0], first + len(columns), *array.shape[2:]), array.dtype)
    new[:, :first] = array[:, :first]
    for c, old in enumerate(columns):
        if old >= 0:
            new[:, first + c] = array[:, first + old]
    return new
