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
    """Return half of each counter of one of the `parts` of the features (from 0), rounded away from 0, so that each
    reaches 0 in the end. The table is not changed.

    The upper half of a feature's key determines its part, so equal tables lose the same amounts. A feature loses half
    in every class, so its log-odds do not change, apart from smoothing. It does no harm that other features are halved
    later.
    """
    upper = table.rows[: table.used, 1].astype(np.uint32)
    first, end = (-(-(each << 32) // parts) for each in (part, part + 1))
    rows = np.flatnonzero((upper >= first) & (upper < end))
    counts = table.counts[rows].astype(np.int64)
    known = counts.any(axis=1)
    rows, counts = rows[known], counts[known]
    return Halves(rows, np.sign(counts) * ((np.abs(counts) + 1) // 2))
