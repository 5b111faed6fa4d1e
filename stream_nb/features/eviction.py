"""Eviction: a table with too many features forgets the rarest."""

from __future__ import annotations

import numpy as np

from stream_nb.features.count_table import CountTable


def rarest(table: CountTable, n: int) -> np.ndarray:
    """Return the rows of the `n` features to evict first, or of all features if there are fewer.

    Features are ordered by the sum of their absolute counters; ties by kind, pairs before words, because a pair never
    occurs more often than its words; then by key, so that equal tables keep the same features.
    """
    weights = np.abs(table.counts).sum(axis=1, dtype=np.int64)
    counted = np.flatnonzero(weights)
    if n < len(counted):
        # Only features up to the n-th smallest weight need sorting.
        counted = counted[weights[counted] <= np.partition(weights[counted], n - 1)[n - 1]]
    order = np.lexsort((table.keys[counted], table.names(counted)[:, 1] == 0, weights[counted]))
    return counted[order[:n]]


def evict(table: CountTable, most: int, hash_multipliers: np.ndarray) -> tuple[int, np.ndarray]:
    """Evict the rarest features until at most `most` are left; free the rows without counts, too.

    Returns how many features were evicted, and the sum of their counters by column.
    """
    counts = table.counts
    excess = table.live - most
    lost = np.zeros(counts.shape[1], np.int64)
    if excess > 0:
        evicted = rarest(table, excess)
        lost = counts[evicted].sum(axis=0, dtype=np.int64)
        counts[evicted] = 0
    fresh = CountTable.from_canonical(table.canonical(list(range(counts.shape[1]))), hash_multipliers)
    table.hold(fresh.rows, fresh.index, fresh.arena, fresh.sizes)
    return max(excess, 0), lost
