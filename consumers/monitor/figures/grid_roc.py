"""The ROC curve since the start, in bounded memory: scores are rounded to a grid."""

from __future__ import annotations

import math

import msgspec

from stream_nb.metrics import RocPoint

STEP = 0.05
LIMIT = 200.0


class GridCell(msgspec.Struct, array_like=True):
    """The number of mails of both classes in one grid cell.

    Encoded as an array because the totals hold thousands of cells and are written every second.
    """

    negatives: int = 0
    positives: int = 0


class GridRanking:
    """Counts of both classes on a grid of log-odds with spacing `STEP`, clipped to +-`LIMIT`.

    It has the operations of `stream_nb.metrics.Ranking`, in memory that does not grow with the number of mails. Scores
    are rounded to the nearest grid point; equal ones are ties. `cells` maps a score in steps to its counts.

    >>> grid = GridRanking()
    >>> for score, is_positive in [(0.1, False), (0.4, False), (0.35, True), (0.8, True)]:
    ...     grid.add(score, is_positive)
    >>> grid.auc()
    0.75
    """

    def __init__(self, cells: dict[int, GridCell] | None = None) -> None:
        self.cells: dict[int, GridCell] = {} if cells is None else cells

    def add(self, score: float, is_positive: bool) -> None:
        """Count one mail with this `score`, its log-odds, of the positive class or (`is_positive` False) another."""
        cell = self.cells.setdefault(_index(score), GridCell())
        if is_positive:
            cell.positives += 1
        else:
            cell.negatives += 1

    def holds(self, score: float, is_positive: bool) -> bool:
        """Whether a mail with this `score` and `is_positive` (as for `add`) is counted in the cell of the score."""
        cell = self.cells.get(_index(score), GridCell())
        return (cell.positives if is_positive else cell.negatives) > 0

    def remove(self, score: float, is_positive: bool) -> None:
        """Remove a mail that was counted with this `score` and `is_positive`."""
        cell = self.cells[_index(score)]
        if is_positive:
            cell.positives -= 1
        else:
            cell.negatives -= 1
        if not cell.negatives and not cell.positives:
            del self.cells[_index(score)]

    def auc(self) -> float | None:
        """Area under the ROC curve, with ties counted half; None while either class has no mail."""
        negatives = positives = half_wins = 0
        for _, cell in sorted(self.cells.items()):
            half_wins += cell.positives * (2 * negatives + cell.negatives)
            negatives += cell.negatives
            positives += cell.positives
        pairs = negatives * positives
        return half_wins / (2 * pairs) if pairs else None

    def one_minus_auc_pct(self) -> float | None:
        """100 (1 - AUC); None while either class has no mail."""
        auc = self.auc()
        return None if auc is None else 100.0 * (1.0 - auc)

    def roc(self) -> list[RocPoint]:
        """The curve from (0, 0) to (1, 1), by falling threshold."""
        negatives = sum(cell.negatives for cell in self.cells.values())
        positives = sum(cell.positives for cell in self.cells.values())
        points = [RocPoint(math.inf, 0, 0, 0.0, 0.0)]
        hits = false_alarms = 0
        for index, cell in sorted(self.cells.items(), reverse=True):
            hits += cell.positives
            false_alarms += cell.negatives
            true_rate = hits / positives if positives else 0.0
            false_rate = false_alarms / negatives if negatives else 0.0
            points.append(RocPoint(index * STEP, hits, false_alarms, true_rate, false_rate))
        return points


def _index(score: float) -> int:
    return round(max(-LIMIT, min(LIMIT, score)) / STEP)
