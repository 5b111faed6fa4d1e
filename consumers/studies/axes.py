"""An axis of a chart: which values it shows, where, and the round values at its ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence


class Axis:
    """Leads from values to pixels, from `start` to `end`; `ticks` are round values with their text.

    A logarithmic axis shows values above 0 by powers of ten and, if 0 is among `values`, 0 at a place of its own one
    step before the least of them.

    >>> axis = Axis([0.0, 0.01, 1.0], log=True, start=0, end=300)
    >>> [text for _, text in axis.ticks], axis.place(0.0), axis.place(0.1)
    (['0', '0.01', '0.1', '1'], 0.0, 200.0)
    """

    def __init__(self, values: Sequence[float], log: bool, start: float, end: float) -> None:
        self._log, self._start, self._end = log, start, end
        if log:
            above = [value for value in values if value > 0] or [1.0]
            rounds = _powers(min(above), max(above))
            self._zero = rounds[0] / rounds[1] * rounds[0] if min(values, default=1.0) <= 0.0 else 0.0
            shown = [0.0, *rounds] if self._zero else rounds
        else:
            shown = _rounds(min(values, default=0.0), max(values, default=1.0))
            self._zero = 0.0
        self._low, self._high = self._scaled(shown[0]), self._scaled(shown[-1])
        self.ticks = [(value, _text(value)) for value in shown]

    def shows(self, value: float) -> bool:
        """Whether the value has a place."""
        return math.isfinite(value) and (not self._log or value > 0.0 or (value == 0.0 and self._zero > 0.0))

    def place(self, value: float) -> float:
        """Where the value lies, in pixels; the ends for what lies beyond."""
        share = (self._scaled(value) - self._low) / (self._high - self._low)
        return self._start + (self._end - self._start) * min(max(share, 0.0), 1.0)

    def _scaled(self, value: float) -> float:
        if not self._log:
            return value
        return math.log(max(value, self._zero)) if max(value, self._zero) > 0.0 else -math.inf


def _rounds(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2, 2.5 or 5 times a power of ten, from below `low` to above `high`."""
    if high <= low:
        low, high = low - 0.5, high + 0.5
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [i * step for i in range(first, last + 1)]


def _powers(low: float, high: float) -> list[float]:
    """Powers of ten from below `low` to above `high`, at most nine of them."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    last = max(first + 1, last)
    step = 1 + (last - first) // 9
    return [10.0**i for i in range(first, last + step, step)]


def _text(value: float) -> str:
    if value == 0.0:
        return "0"
    return f"{value:,.0f}" if abs(value) >= 1000 and value == round(value) and abs(value) < 1e7 else f"{value:.6g}"
