"""Rolling figures: over the last n labelled mails, over the last t seconds, and since the start.

A window is a sum that mails enter and leave, so it costs the same however long it is. When a label changes the mail
keeps its turn in the window; when it is withdrawn the mail leaves.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from stream_nb.metrics import Ranking, RocPoint, exponential, hinge, log_loss, squared

from ..evaluation.report import Report, RunningReport
from .grid_roc import GridRanking
from .joiner import Outcome

BINS = 10
MICRO = 1_000_000
NANO = 1_000_000_000
MAX_TIMED = 100_000

COUNTS = (100, 1_000, 10_000)
SECONDS = {"5 min": 300.0, "1 h": 3_600.0, "24 h": 86_400.0}
START = "start"
NAMES = (*map(str, COUNTS), *SECONDS, START)


def _of_answer(loss: Callable[[int, float], float]) -> Callable[[int, float], float]:
    return lambda y, log_odds: loss(y, math.tanh(log_odds / 2))


LOSSES: dict[str, Callable[[int, float], float]] = {
    "L2": _of_answer(squared),
    "hinge": _of_answer(hinge),
    "exponential": _of_answer(exponential),
    "log loss": log_loss,
}
"""Losses of the calibrated log-odds by name; all but log loss read the answer h = 2 P(positive) - 1."""

ZERO_ONE = "0-1"
"""The loss of the decision itself: 1 for each mail that was not called what it is."""


def _calibrated(probability: float) -> float:
    """Log-odds of a calibrated probability; one so near 0 or 1 that it is rounded to it counts as 1e-15 away."""
    return math.log(max(probability, 1e-15) / max(1.0 - probability, 1e-15))


class StoredTally(msgspec.Struct):
    """A tally as it is stored: true label -> label given -> mails, the ROC grid's cells, and the sums of `Tally`."""

    confusion: dict[str, dict[str, int]] = {}
    grid: dict[int, list[int]] = {}
    bins: list[list[int]] = []
    losses: dict[str, int] = {}
    base_hits: int = 0
    last_hits: int = 0


class Tally:
    """Everything counted over one set of judgements; `revert` takes back exactly what `update` added.

    `bins` holds, for each tenth of the calibrated probability, mails, positives, and the sum of the probabilities in
    millionths; `losses` are sums in units of 1e-9. Both are integers, so that they come back to zero.
    """

    def __init__(self, positive: str, ranking: Ranking | GridRanking | None = None) -> None:
        self.positive = positive
        self.ranking = Ranking() if ranking is None else ranking
        self.figures = RunningReport(positive, self.ranking)
        self.bins = [[0, 0, 0] for _ in range(BINS)]
        self.losses = dict.fromkeys((ZERO_ONE, *LOSSES), 0)
        self.base_hits = 0
        self.last_hits = 0

    def update(self, judgement: Outcome) -> None:
        """Count a judgement."""
        self.figures.update(judgement.truth, judgement.given, judgement.log_odds)
        self._count(judgement, 1)

    def revert(self, judgement: Outcome) -> None:
        """Take back a judgement counted before."""
        self.figures.revert(judgement.truth, judgement.given, judgement.log_odds)
        self._count(judgement, -1)

    def _count(self, judgement: Outcome, sign: int) -> None:
        cell = self.bins[min(int(judgement.probability * BINS), BINS - 1)]
        cell[0] += sign
        cell[1] += sign * (judgement.truth == self.positive)
        cell[2] += sign * round(judgement.probability * MICRO)
        y = 1 if judgement.truth == self.positive else -1
        log_odds = _calibrated(judgement.probability)
        self.losses[ZERO_ONE] += sign * NANO * (not judgement.right)
        for name, loss in LOSSES.items():
            self.losses[name] += sign * round(loss(y, log_odds) * NANO)
        self.base_hits += sign * (judgement.base == judgement.truth)
        self.last_hits += sign * (judgement.last == judgement.truth)

    def stored(self) -> StoredTally:
        """The counts as they are stored; only of a tally over a grid."""
        confusion = self.report().confusion
        return StoredTally(confusion, self.ranking.cells, self.bins, self.losses, self.base_hits, self.last_hits)

    @classmethod
    def of(cls, positive: str, stored: StoredTally) -> Tally:
        """The tally that was stored."""
        tally = cls(positive, GridRanking(stored.grid))
        tally.figures.restore(stored.confusion)
        tally.bins = stored.bins
        tally.losses = stored.losses
        tally.base_hits, tally.last_hits = stored.base_hits, stored.last_hits
        return tally

    def mean_losses(self) -> dict[str, float | None]:
        """Mean of each loss, to 1e-9; None while there is no mail."""
        n = self.report().n
        return {name: total / NANO / n if n else None for name, total in self.losses.items()}

    def report(self) -> Report:
        """Accuracy, ranking, precision, recall and the confusion matrix."""
        return self.figures.report()

    def roc(self) -> list[RocPoint]:
        """The ROC curve."""
        return self.ranking.roc()


class Window:
    """The judgements of one window, oldest first, and their tally.

    At most `size` mails and none older than `seconds` before the newest time told to `expire`.

    >>> window = Window("spam", size=2)
    >>> for number in range(3):
    ...     window.put(Outcome(str(number), "spam", "spam", 1.0, 0.7, at=float(number)))
    >>> len(window), window.tally.report().n
    (2, 2)
    """

    def __init__(self, positive: str, size: int = MAX_TIMED, seconds: float | None = None) -> None:
        self.tally = Tally(positive)
        self._size = size
        self._seconds = seconds
        self._held: OrderedDict[str, Outcome] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def put(self, judgement: Outcome) -> None:
        """Take a mail in, as the newest."""
        self._held[judgement.id] = judgement
        self.tally.update(judgement)
        if len(self._held) > self._size:
            self._drop_oldest()

    def replace(self, judgement: Outcome) -> None:
        """Change what is known of a mail, if it is held; it keeps its turn."""
        held = self._held.get(judgement.id)
        if held is not None:
            self.tally.revert(held)
            self._held[judgement.id] = judgement
            self.tally.update(judgement)

    def remove(self, message_id: str) -> None:
        """Let a mail go, if it is held."""
        held = self._held.pop(message_id, None)
        if held is not None:
            self.tally.revert(held)

    def expire(self, now: float) -> None:
        """Let go of what is too old."""
        if self._seconds is None:
            return
        while self._held and next(iter(self._held.values())).at < now - self._seconds:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, judgement = self._held.popitem(last=False)
        self.tally.revert(judgement)


class Windows:
    """All windows, by name (`NAMES`), fed together."""

    def __init__(self, positive: str) -> None:
        self.start = Tally(positive, GridRanking())
        self._windows = {str(size): Window(positive, size=size) for size in COUNTS}
        self._windows |= {name: Window(positive, seconds=seconds) for name, seconds in SECONDS.items()}

    def put(self, judgement: Outcome) -> None:
        """Count a mail just judged."""
        self.start.update(judgement)
        for window in self._windows.values():
            window.put(judgement)

    def replace(self, old: Outcome, new: Outcome) -> None:
        """The label of a judged mail changed."""
        self.start.revert(old)
        self.start.update(new)
        for window in self._windows.values():
            window.replace(new)

    def remove(self, old: Outcome) -> None:
        """The label of a judged mail was withdrawn."""
        self.start.revert(old)
        for window in self._windows.values():
            window.remove(old.id)

    def expire(self, now: float) -> None:
        """Let time pass."""
        for window in self._windows.values():
            window.expire(now)

    def restore(self, start: Tally) -> None:
        """Put a stored tally in place of the one since the start."""
        self.start = start

    def tallies(self) -> dict[str, Tally]:
        """The tally of each window by name, "start" last."""
        return {name: window.tally for name, window in self._windows.items()} | {START: self.start}
