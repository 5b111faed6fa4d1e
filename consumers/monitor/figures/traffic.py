"""The rates of mails and labels, the latency of scores and the delay of labels."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque

import msgspec
import numpy as np

SHORTEST_WINDOW_S, LONGEST_WINDOW_S = 10, 3_600
LEAST_EVENTS = 10
RECENT_DURATIONS = 1_000

LATENCY_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
DELAY_BUCKETS_S = (1.0, 10.0, 60.0, 600.0, 3_600.0, 6 * 3_600.0, 86_400.0, 7 * 86_400.0)


class Histogram(msgspec.Struct):
    """Counts of durations by bin, the bins' upper bounds in seconds (the last bin has none), and the durations' sum."""

    bounds: tuple[float, ...]
    counts: list[int]
    sum_s: float = 0.0

    @classmethod
    def of(cls, bounds: tuple[float, ...]) -> Histogram:
        """An empty histogram with these upper `bounds` of the bins, in seconds, ascending."""
        return cls(bounds, [0] * (len(bounds) + 1))

    def add(self, seconds: float) -> None:
        """Count a duration of so many `seconds`, 0 or more."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.sum_s += seconds


class Rate:
    """Events per second over the last 10 s or, with fewer than 10 in these, since the tenth last, for at most an hour.

    So the rate falls steadily once nothing comes any more. Windows consist of whole seconds of the log's time. They do
    not reach back beyond the first event.
    """

    def __init__(self) -> None:
        self._began = math.inf
        self._counts: dict[int, int] = {}

    def add(self, timestamp: float) -> None:
        """Count an event at `timestamp` (in seconds since 1970); events need not arrive in order, because they come
        from several partitions."""
        second = int(timestamp)
        self._began = min(self._began, second)
        self._counts[second] = self._counts.get(second, 0) + 1
        if len(self._counts) > 2 * LONGEST_WINDOW_S:
            oldest = max(self._counts) - LONGEST_WINDOW_S
            self._counts = {each: count for each, count in self._counts.items() if each >= oldest}

    def per_s(self, now: float) -> float:
        """The rate at `now` (seconds since 1970), without the second in progress.

        Over more than 10 s it has two digits, because the monitor writes its view whenever that changes.
        """
        newest, total, window_s = int(now), 0, 0
        longest_s = int(max(1, min(LONGEST_WINDOW_S, newest - self._began)))
        while window_s < longest_s and not (window_s >= SHORTEST_WINDOW_S and total >= LEAST_EVENTS):
            window_s += 1
            total += self._counts.get(newest - window_s, 0)
        if window_s <= SHORTEST_WINDOW_S:
            return total / window_s
        since = min(total, LEAST_EVENTS - 1)  # without the tenth last, with which the window begins
        return float(f"{since / window_s:.1e}")


class DurationQuantiles(msgspec.Struct, frozen=True):
    """Median, 95th and 99th percentile in seconds."""

    median_s: float
    p95_s: float
    p99_s: float


class Durations:
    """Durations of one kind: the histogram of all of them, with bins as in `Histogram.of` (`bounds`), and the last
    `RECENT_DURATIONS`."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.histogram = Histogram.of(bounds)
        self._recent: deque[float] = deque(maxlen=RECENT_DURATIONS)

    def add(self, seconds: float) -> None:
        """Add a duration of so many `seconds`; a negative one (clocks differ, or the label arrived first) counts as
        0."""
        seconds = max(0.0, seconds)
        self.histogram.add(seconds)
        self._recent.append(seconds)

    def quantiles(self) -> DurationQuantiles | None:
        """The quantiles of the last ones; None without durations."""
        if not self._recent:
            return None
        return DurationQuantiles(*(float(value) for value in np.quantile(self._recent, (0.5, 0.95, 0.99))))
