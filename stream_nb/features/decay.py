"""Gradual decay of a count table: all counters are halved, one part of the features at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stream_nb.features.count_table import CountTable


class Halves(NamedTuple):
    """What some features lose: their rows of the table, and half of each of their counters, int64[rows, classes]."""

    rows: np.ndarray
    amounts: np.ndarray


def halves(table: CountTable, part: int, parts: int) -> Halves:
    """Return half of each counter of one part of the features, rounded away from 0, so that each reaches 0 in the end.

    The hash of a feature determines its part, so equal tables lose the same amounts. A feature loses half in every
    class, so its log-odds do not change, apart from smoothing. It does no harm that other features are halved later.

    Args:
        table: The table; it is not changed.
        part: The part, from 0 to `parts` - 1.
        parts: The number of parts.
    """
    own_part = (table.keys >> np.uint64(32)) * np.uint64(parts) >> np.uint64(32)
    rows = np.flatnonzero((own_part == np.uint64(part)) & table.counts.any(axis=1))
    counts = table.counts[rows].astype(np.int64)
    return Halves(rows, np.sign(counts) * ((np.abs(counts) + 1) // 2))
