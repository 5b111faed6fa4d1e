"""Which features a table forgets when it has too many: the rarest."""

from __future__ import annotations

import numpy as np

from stream_nb.features.count_table import CountTable


def rarest(table: CountTable, n: int) -> np.ndarray:
    """The rows of the `n` features that are forgotten first, or of all there are.

    Those with the smallest sum of counters go first, of equal ones pairs before words, since a pair is never met more
    often than its words; then by key, so that equal tables keep the same.
    """
    weights = np.abs(table.counts).sum(axis=1, dtype=np.int64)
    counted = np.flatnonzero(weights)
    if n < len(counted):
        # Only those up to the n-th weight need to be put in order.
        counted = counted[weights[counted] <= np.partition(weights[counted], n - 1)[n - 1]]
    order = np.lexsort((table.keys[counted], table.names[counted, 1] == 0, weights[counted]))
    return counted[order[:n]]


def evict(table: CountTable, most: int, hash_multipliers: np.ndarray) -> tuple[int, np.ndarray]:
    """Forget the rarest features until at most `most` are left; how many went, and their sum by column.

    Rows without any count are given back too.
    """
    counts = table.counts
    excess = table.live - most
    lost = np.zeros(counts.shape[1], np.int64)
    if excess > 0:
        gone = rarest(table, excess)
        lost = counts[gone].sum(axis=0, dtype=np.int64)
        counts[gone] = 0
    fresh = CountTable.from_canonical(table.canonical(list(range(counts.shape[1]))), hash_multipliers)
    table.hold(fresh.rows, fresh.index, fresh.arena, fresh.sizes)
    return max(excess, 0), lost
