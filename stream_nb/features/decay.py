"""Which counters a table loses as labels come: half of each feature's, a part of the features at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stream_nb.features.count_table import CountTable


class Halves(NamedTuple):
    """What some features lose: their rows of the table, and of each counter the half, int64[rows, classes]."""

    rows: np.ndarray
    amounts: np.ndarray


def halves(table: CountTable, part: int, parts: int) -> Halves:
    """Half of the counters of a part of the features, rounded away from 0, so that each comes to 0 in the end.

    The hash of a feature says which part it is in, so equal tables lose the same. A feature loses as much in all
    classes, so its log-odds stay as they are, apart from smoothing: that other features' turn comes later does no harm.

    Args:
        table: The table; it stays as it is.
        part: Which part, from 0.
        parts: How many there are.
    """
    place = (table.keys >> np.uint64(32)) * np.uint64(parts) >> np.uint64(32)
    rows = np.flatnonzero((place == np.uint64(part)) & table.counts.any(axis=1))
    counts = table.counts[rows].astype(np.int64)
    return Halves(rows, np.sign(counts) * ((np.abs(counts) + 1) // 2))
