"""Limits how many labels of one source count in an hour, so that a flood of labels cannot shift the filter."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable

from stream_nb.types import Update

HOUR_S = 3600.0


class Quota:
    """Counts the updates of each source in the last hour by `clock` (monotonic, in seconds), in this process.

    An update above the `cap` (0: no limit) is emptied, not dropped: the message keeps its label, and its ledger entry
    records that nothing was learned from it.
    """

    def __init__(self, cap: int, clock: Callable[[], float]) -> None:
        self._cap = cap
        self._clock = clock
        self._counted: deque[tuple[float, str]] = deque()
        self._labels: Counter[str] = Counter()

    @property
    def limits(self) -> bool:
        """Whether there is a cap."""
        return self._cap > 0

    def limit(self, update: Update) -> Update:
        """Count the update and return it; return it emptied, and uncounted, when its source has reached the cap."""
        if not self._cap:
            return update
        now = self._clock()
        while self._counted and self._counted[0][0] <= now - HOUR_S:
            _, source = self._counted.popleft()
            self._labels[source] -= 1
            if not self._labels[source]:
                del self._labels[source]
        if self._labels[update.source] >= self._cap:
            nothing = (0,) * len(update.tallies)
            return update._replace(weight=0, tallies=nothing, taken=0, rival=None, corrects="", originator=None)
        self._counted.append((now, update.source))
        self._labels[update.source] += 1
        return update
