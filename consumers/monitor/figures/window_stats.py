"""Statistics over one set of outcomes: confusion, ranking, calibration, losses and the baselines."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import msgspec

from stream_nb.metrics import Ranking, exponential, hinge, log_loss, squared

from ...evaluation.report import RunningReport
from .grid_roc import GridCell, GridRanking
from .joiner import Outcome

CALIBRATION_BINS = 10
MICRO = 1_000_000
NANO = 1_000_000_000


def _of_tanh(loss: Callable[[int, float], float]) -> Callable[[int, float], float]:
    return lambda y, log_odds: loss(y, math.tanh(log_odds / 2))


LOSSES: dict[str, Callable[[int, float], float]] = {
    "L2": _of_tanh(squared),
    "hinge": _of_tanh(hinge),
    "exponential": _of_tanh(exponential),
    "log loss": log_loss,
}
"""Losses of the calibrated log-odds by name; all except the log loss are functions of h = 2 P(positive) - 1."""

ZERO_ONE = "0-1"
"""The loss of the decision: 1 for each mail whose predicted label is wrong."""


class CalibrationBin(msgspec.Struct):
    """The number of mails whose calibrated probability lies in one tenth, the number of positive ones, and the sum of
    their probabilities in millionths."""

    mails: int = 0
    positives: int = 0
    probability_micro: int = 0


class StoredStats(msgspec.Struct):
    """`WindowStats` as stored; `confusion` is true label -> predicted label -> mails, `grid` the ranking's cells."""

    confusion: dict[str, dict[str, int]] = {}
    grid: dict[int, GridCell] = {}
    bins: list[CalibrationBin] = []
    losses: dict[str, int] = {}
    majority_class_hits: int = 0
    last_class_hits: int = 0


class WindowStats:
    """Statistics over one set of outcomes; `revert` is the exact inverse of `update`.

    `bins` are tenths of the calibrated probability, `losses` sums in units of 1e-9. Both are integers, so reverting
    leaves no rounding error.

    Args:
        positive: The positive class.
        ranking: An empty ranking; an exact one (`Ranking`) by default.
    """

    def __init__(self, positive: str, ranking: Ranking | GridRanking | None = None) -> None:
        self.positive = positive
        self.ranking = Ranking() if ranking is None else ranking
        self.figures = RunningReport(positive, self.ranking)
        self.bins = [CalibrationBin() for _ in range(CALIBRATION_BINS)]
        self.losses: dict[str, int] = dict.fromkeys((ZERO_ONE, *LOSSES), 0)
        self.majority_class_hits = 0
        self.last_class_hits = 0

    def update(self, outcome: Outcome) -> None:
        """Count an outcome."""
        self.figures.update(outcome.true_label, outcome.label, outcome.log_odds)
        self._count(outcome, 1)

    def revert(self, outcome: Outcome) -> None:
        """Remove an outcome counted before."""
        self.figures.revert(outcome.true_label, outcome.label, outcome.log_odds)
        self._count(outcome, -1)

    def holds(self, outcome: Outcome) -> bool:
        """Whether a mail with such an outcome is counted; of an exact ranking only its labels are compared."""
        if not self.figures.holds(outcome.true_label, outcome.label):
            return False
        if outcome.label is None or not isinstance(self.ranking, GridRanking):
            return True
        return self.ranking.holds(outcome.log_odds, outcome.true_label == self.positive)

    def _count(self, outcome: Outcome, sign: int) -> None:
        is_positive = outcome.true_label == self.positive
        cell = self.bins[min(int(outcome.probability * CALIBRATION_BINS), CALIBRATION_BINS - 1)]
        cell.mails += sign
        cell.positives += sign * is_positive
        cell.probability_micro += sign * round(outcome.probability * MICRO)
        self.losses[ZERO_ONE] += sign * NANO * (not outcome.correct)
        for name, nano in _losses(is_positive, outcome.probability):
            self.losses[name] += sign * nano
        self.majority_class_hits += sign * (outcome.majority_class == outcome.true_label)
        self.last_class_hits += sign * (outcome.last_class == outcome.true_label)

    def stored(self) -> StoredStats:
        """The statistics for storage; raises TypeError unless `ranking` is a GridRanking."""
        if not isinstance(self.ranking, GridRanking):
            raise TypeError("only statistics with a GridRanking can be stored: an exact ranking grows with the mails")
        return StoredStats(
            confusion=self.figures.confusion,
            grid=self.ranking.cells,
            bins=self.bins,
            losses=self.losses,
            majority_class_hits=self.majority_class_hits,
            last_class_hits=self.last_class_hits,
        )

    @classmethod
    def from_stored(cls, positive: str, stored: StoredStats) -> WindowStats:
        """The statistics, for the class `positive`, that were `stored`."""
        stats = cls(positive, GridRanking(stored.grid))
        stats.figures.restore(stored.confusion)
        if stored.bins:
            stats.bins = stored.bins
        stats.losses |= stored.losses
        stats.majority_class_hits = stored.majority_class_hits
        stats.last_class_hits = stored.last_class_hits
        return stats

    def mean_losses(self) -> dict[str, float | None]:
        """The mean of each loss, to 1e-9; None without mails."""
        n = self.figures.n
        return {name: total / NANO / n if n else None for name, total in self.losses.items()}

    def base_rate(self) -> float | None:
        """Accuracy of always predicting the commonest class so far; None without mails."""
        n = self.figures.n
        return self.majority_class_hits / n if n else None

    def last_class_accuracy(self) -> float | None:
        """Accuracy of always predicting the class of the previously labelled mail; None without mails."""
        n = self.figures.n
        return self.last_class_hits / n if n else None


@lru_cache(maxsize=1000)  # a mail enters all windows at once
def _losses(is_positive: bool, probability: float) -> tuple[tuple[str, int], ...]:
    """The name and value, in units of 1e-9, of each of `LOSSES` for a calibrated probability of the positive class."""
    y, log_odds = (1 if is_positive else -1), _calibrated(probability)
    return tuple((name, round(loss(y, log_odds) * NANO)) for name, loss in LOSSES.items())


def _calibrated(probability: float) -> float:
    """Log-odds of a calibrated probability; P and 1 - P count as at least 1e-15, so that they stay finite."""
    return math.log(max(probability, 1e-15) / max(1.0 - probability, 1e-15))
