"""Arrays of counters that grow by rows, and whose columns are classes."""

from __future__ import annotations

import numpy as np


def grown(array: np.ndarray) -> np.ndarray:
    """The array with as many rows of zeros again."""
    larger = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def with_columns(array: np.ndarray, columns: list[int], first: int = 0) -> np.ndarray:
    """The array with column `first` + c what was columns[c], 0 where that is -1; those before `first` stay."""
    new = np.zeros((array.shape[0], first + len(columns), *array.shape[2:]), array.dtype)
    new[:, :first] = array[:, :first]
    for c, before in enumerate(columns):
        if before >= 0:
            new[:, first + c] = array[:, first + before]
    return new
