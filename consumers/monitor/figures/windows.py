"""Rolling figures: over the last n labelled mails, over the last t seconds, and since the start.

A window is a running sum that mails enter and leave, so its cost does not depend on its length. A mail whose label
changes keeps its position in the window; a mail whose label is withdrawn leaves. A window of the last n mails then gets
back the mail before its oldest, so that a bulk withdrawal does not empty it.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from itertools import islice

import msgspec

from .grid_roc import GridRanking
from .joiner import Outcome
from .window_stats import WindowStats

MAX_TIMED = 100_000
"""Maximal number of mails in a window defined by time."""
MAX_LATEST = 50_000
"""Number of the latest labelled mails from which windows get mails back."""


class WindowSpec(msgspec.Struct, frozen=True):
    """A window: the last `mails` labelled mails, or those of the last `seconds`, or (both None) all since the start."""

    name: str
    title: str
    mails: int | None = None
    seconds: float | None = None


START = "start"
WINDOWS = (
    WindowSpec("100", "last 100", mails=100),
    WindowSpec("1000", "last 1,000", mails=1_000),
    WindowSpec("10000", "last 10,000", mails=10_000),
    WindowSpec("5 min", "5 min", seconds=300.0),
    WindowSpec("1 h", "1 h", seconds=3_600.0),
    WindowSpec("24 h", "24 h", seconds=86_400.0),
    WindowSpec(START, "since start"),
)
DEFAULT_WINDOW = "1000"
"""The window whose figures are shown unless another one is requested."""


class Window:
    """The outcomes of one window, oldest first, and their statistics for the class `positive`.

    It holds at most `size` mails, and none more than `seconds` older than the last `expire`; `outcomes` is keyed by id.

    >>> window = Window("spam", size=2)
    >>> for number in range(3):
    ...     window.add(Outcome(str(number), "spam", "spam", 1.0, 0.7, timestamp=float(number)))
    >>> len(window), window.stats.figures.n
    (2, 2)
    """

    def __init__(self, positive: str, size: int = MAX_TIMED, seconds: float | None = None) -> None:
        self.stats = WindowStats(positive)
        self.size = size
        self._seconds = seconds
        self._cut_at = -math.inf  # when the newest missing mail was labelled
        self.outcomes: OrderedDict[str, Outcome] = OrderedDict()

    def __len__(self) -> int:
        return len(self.outcomes)

    def add(self, outcome: Outcome) -> None:
        """Add a mail as the newest. One in the window already was scored again, after its first score was forgotten."""
        self.remove(outcome.id)
        self.outcomes[outcome.id] = outcome
        self.stats.update(outcome)
        if len(self.outcomes) > self.size:
            self.note_missing(next(iter(self.outcomes.values())).timestamp)
            self._drop_oldest()

    def note_missing(self, timestamp: float) -> None:
        """Note that a mail is missing that was labelled at `timestamp`, in seconds since 1970."""
        self._cut_at = timestamp

    def is_cut(self, now: float, labelled: int) -> bool:
        """Whether mails of the window are missing at `now` (seconds since 1970), because it holds only the latest of
        the `labelled` mails since the start."""
        if self._seconds is None:
            return len(self) < min(self.size, labelled)
        return self._cut_at >= now - self._seconds

    def give_back(self, outcome: Outcome) -> None:
        """Add a mail as the oldest."""
        self.outcomes[outcome.id] = outcome
        self.outcomes.move_to_end(outcome.id, last=False)
        self.stats.update(outcome)

    def replace(self, outcome: Outcome) -> None:
        """Change the outcome of a mail, if it is in the window; it keeps its position."""
        old = self.outcomes.get(outcome.id)
        if old is not None:
            self.stats.revert(old)
            self.outcomes[outcome.id] = outcome
            self.stats.update(outcome)

    def remove(self, message_id: str) -> None:
        """Drop the mail `message_id`, if it is in the window."""
        old = self.outcomes.pop(message_id, None)
        if old is not None:
            self.stats.revert(old)

    def expire(self, now: float) -> None:
        """Drop the mails that are too old at `now` (seconds since 1970), and mails labelled as long after it, when the
        clock was ahead: mails behind them would stay until it is that late again."""
        if self._seconds is None:
            return
        while self.outcomes and abs(now - next(iter(self.outcomes.values())).timestamp) > self._seconds:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, outcome = self.outcomes.popitem(last=False)
        self.stats.revert(outcome)


class Windows:
    """All of `WINDOWS`: the `rolling` ones by name, and `start`, the statistics since the start in bounded memory; all
    for the class `positive`."""

    def __init__(self, positive: str) -> None:
        self.start = WindowStats(positive, GridRanking())
        self.rolling = {
            spec.name: Window(positive, spec.mails or MAX_TIMED, spec.seconds) for spec in WINDOWS if spec.name != START
        }
        self._latest: OrderedDict[str, Outcome] = OrderedDict()  # each window of mails holds the last of these

    def add(self, outcome: Outcome) -> None:
        """Count a mail with a new outcome."""
        self.start.update(outcome)
        self._latest.pop(outcome.id, None)  # as in `Window.add`
        self._latest[outcome.id] = outcome
        if len(self._latest) > MAX_LATEST:
            self._latest.popitem(last=False)
        for window in self.rolling.values():
            window.add(outcome)

    def replace(self, old: Outcome, new: Outcome) -> None:
        """Replace the outcome of a counted mail, whose label changed."""
        self._leave_start(old)
        self.start.update(new)
        if new.id in self._latest:
            self._latest[new.id] = new
        for window in self.rolling.values():
            window.replace(new)

    def remove(self, old: Outcome) -> None:
        """Remove a counted mail, whose label was withdrawn."""
        self._leave_start(old)
        self._latest.pop(old.id, None)
        for window in self.rolling.values():
            window.remove(old.id)

    def _leave_start(self, outcome: Outcome) -> None:
        """Remove a mail from the statistics since the start, unless its label counts only since it was reread: that of
        one class too many, if another class has gone since."""
        if self.start.holds(outcome):
            self.start.revert(outcome)

    def expire(self, now: float) -> None:
        """Drop the mails that are too old at `now` (seconds since 1970) from the windows defined by time."""
        for window in self.rolling.values():
            window.expire(now)

    def note_missing(self) -> None:
        """Note that mails are missing before those that were added until now."""
        if self._latest:
            for window in self.rolling.values():
                window.note_missing(next(iter(self._latest.values())).timestamp)

    def _refill(self) -> None:
        """Fill the windows of mails that lost some; once for many removals, because it walks through the window."""
        for window in (self.rolling[spec.name] for spec in WINDOWS if spec.mails is not None):
            if len(window) < min(window.size, len(self._latest)):
                for outcome in list(islice(reversed(self._latest.values()), len(window), window.size)):
                    window.give_back(outcome)

    def is_cut(self, name: str, now: float, labelled: int) -> bool:
        """Whether the window `name` lacks mails at `now` (seconds since 1970), with so many `labelled` mails since the
        start."""
        return self.start.figures.n < labelled if name == START else self.rolling[name].is_cut(now, labelled)

    def stats(self) -> dict[str, WindowStats]:
        """The statistics of each window by name, "start" last.

        While the window of the last 10,000 mails still holds all mails since the start, its statistics, whose ranking
        is exact, are also those of "start".
        """
        self._refill()
        longest = self.rolling["10000"]
        start = longest.stats if len(longest) == self.start.figures.n else self.start
        return {name: window.stats for name, window in self.rolling.items()} | {START: start}
