"""The ROC curve since the start, in bounded memory: scores counted on a grid."""

from __future__ import annotations

import math

from stream_nb.metrics import RocPoint

STEP = 0.05
LIMIT = 200.0


class GridRanking:
    """Counts of both classes on a grid of log-odds `STEP` wide, cut off at +-`LIMIT`.

    The same operations as `stream_nb.metrics.Ranking`, in a memory that does not grow with the mails; scores within
    half a step of each other count as equal. `cells` is cell -> [negatives, positives].

    >>> grid = GridRanking()
    >>> for score, is_positive in [(0.1, False), (0.4, False), (0.35, True), (0.8, True)]:
    ...     grid.add(score, is_positive)
    >>> grid.auc()
    0.75
    """

    def __init__(self, cells: dict[int, list[int]] | None = None) -> None:
        self.cells = {} if cells is None else cells

    def add(self, score: float, is_positive: bool) -> None:
        """Take in one mail's log-odds."""
        self.cells.setdefault(_cell(score), [0, 0])[is_positive] += 1

    def remove(self, score: float, is_positive: bool) -> None:
        """Take back one mail added before."""
        counts = self.cells[_cell(score)]
        counts[is_positive] -= 1
        if not any(counts):
            del self.cells[_cell(score)]

    def auc(self) -> float | None:
        """Area under the ROC curve, ties counted half; None while either class has no mail."""
        below = half_wins = 0
        for _, (negatives, positives) in sorted(self.cells.items()):
            half_wins += positives * (2 * below + negatives)
            below += negatives
        pairs = below * sum(positives for _, positives in self.cells.values())
        return half_wins / (2 * pairs) if pairs else None

    def one_minus_auc_pct(self) -> float | None:
        """100 (1 - AUC); None while either class has no mail."""
        auc = self.auc()
        return None if auc is None else 100.0 * (1.0 - auc)

    def roc(self) -> list[RocPoint]:
        """The curve from (0, 0) to (1, 1), thresholds falling."""
        totals = [sum(counts[side] for counts in self.cells.values()) for side in (0, 1)]
        points = [RocPoint(math.inf, 0, 0, 0.0, 0.0)]
        hits = false_alarms = 0
        for cell in sorted(self.cells, reverse=True):
            negatives, positives = self.cells[cell]
            hits += positives
            false_alarms += negatives
            rates = (hits / totals[1] if totals[1] else 0.0, false_alarms / totals[0] if totals[0] else 0.0)
            points.append(RocPoint(cell * STEP, hits, false_alarms, *rates))
        return points


def _cell(score: float) -> int:
    return round(max(-LIMIT, min(LIMIT, score)) / STEP)
