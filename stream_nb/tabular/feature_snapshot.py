"""Convert a `FeatureTable` to the values and arrays of a snapshot, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb import snapshot
from stream_nb.errors import SnapshotError
from stream_nb.kernels.tabular.number_layout import Cell
from stream_nb.tabular.feature_table import FeatureTable
from stream_nb.tabular.moments import Moments
from stream_nb.tabular.number_table import NUMBER_ROWS

ARRAYS = ("number_places", "number_counts", "pool_bins", "pool_counts")
"""The names of the arrays in a snapshot."""

_VERSION = 2
_NUMBER_BYTES, _ROW_BYTES = 70, 10
"""Approximate size of a number, and of an interval or a value of a category, without their classes."""


def packed_size(table: FeatureTable) -> int:
    """Approximate upper bound of the size of the result of `pack`, in bytes, without names and texts."""
    numbers = len(table.numbers.slots)
    rows = table.live - NUMBER_ROWS * numbers
    return numbers * (_NUMBER_BYTES + 10 * table.columns) + rows * (_ROW_BYTES + 2 * table.columns)


def pack(table: FeatureTable, columns: list[int]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Values and arrays for `snapshot.pack`, with the classes in the order of `columns`. Equal statistics give equal
    values and arrays."""
    numbers: list[list[Any]] = []
    cells = [np.zeros((0, Cell.COUNTS + len(columns)), np.int64)]
    order = [Cell.INTERVAL, Cell.HELD, *(Cell.COUNTS + column for column in columns)]
    for name in sorted(table.numbers.slots):
        if table.numbers.counts_any(name):
            own, moments = table.numbers.cells_of(name)[:, order], table.numbers.moments_of(name)
            sums = table.numbers.sums[table.numbers.slots[name]].tolist()
            numbers.append([name, len(own), sums, [moments[column].state() for column in columns]])
            cells.append(own)
    categories = [[*value, counts[columns].tolist()] for value, counts in table.categories.in_order()]
    joined = np.concatenate(cells)
    filled = np.flatnonzero(table.pool.counts)
    state = {"version": _VERSION, "numbers": numbers, "categories": categories}
    arrays = {
        "number_places": joined[:, Cell.INTERVAL],
        "number_counts": joined[:, Cell.COUNTS :],
        "pool_bins": filled,
        "pool_counts": table.pool.counts[filled],
    }
    return state, {name: snapshot.smallest(array) for name, array in arrays.items()}


def unpack(state: dict[str, Any], arrays: dict[str, np.ndarray], columns: int) -> FeatureTable:
    """Restore a table with `columns` classes from the result of `pack`.

    Raises:
        SnapshotError: The version is another one.
        KeyError, TypeError, ValueError, IndexError: The values or arrays are invalid.
    """
    if state["version"] != _VERSION:
        raise SnapshotError(
            f"snapshot with features of version {state['version']!r}; this program reads version {_VERSION}"
        )
    intervals, counts = arrays["number_places"].astype(np.int64), arrays["number_counts"].astype(np.int64)
    if counts.shape != (len(intervals), columns) or sum(size for _, size, _, _ in state["numbers"]) != len(intervals):
        raise ValueError(f"{len(intervals)} intervals of numbers, counts of shape {counts.shape}")
    cells = np.column_stack((intervals, np.maximum(counts, 0).sum(axis=1), counts))
    table = FeatureTable(columns)
    start = 0
    for name, size, sums, moments in state["numbers"]:
        table.numbers.insert(name, cells[start : start + size], sums, [Moments.from_sums(*each) for each in moments])
        start += size
    for name, value, by_class in state["categories"]:
        table.categories.insert((name, value), by_class)
    table.pool.counts[arrays["pool_bins"].astype(np.int64)] = arrays["pool_counts"]
    table.pool.changed()
    return table
