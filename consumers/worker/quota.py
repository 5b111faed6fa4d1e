"""How much one source of labels may teach in an hour: a flood of labels must not move the filter."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from stream_nb.types import Update

HOUR_S = 3600.0


class Quota:
    """Counts each source's updates of the last hour, in this process; `cap` 0 lets everything through.

    A update above the cap is emptied, not dropped: the message keeps its label, and what is remembered about it says
    truly that it taught nothing. `clock` gives seconds and never goes back.
    """

    def __init__(self, cap: int, clock: Callable[[], float]) -> None:
        self._cap = cap
        self._clock = clock
        self._taught: dict[str, deque[float]] = {}

    def limit(self, update: Update) -> Update:
        """The update, or the same update with nothing in it."""
        if not self._cap:
            return update
        now = self._clock()
        taught = self._taught.setdefault(update.source, deque())
        while taught and taught[0] <= now - HOUR_S:
            taught.popleft()
        if len(taught) >= self._cap:
            return update._replace(weight=0, tallies=(0,) * len(update.tallies))
        taught.append(now)
        return update
