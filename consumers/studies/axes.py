"""An axis of a chart: the values it shows, their positions, and round values for its ticks."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

_MOST_DIGITS = 7
"""Larger powers of ten are written as 1e+07."""
_NARROWEST = 1e-9
"""Least range of an axis, as a share of its values; floats have few round values, or none, within less."""


class Axis:
    """Maps values to pixels from `start` to `end`; `ticks` are round values with their text.

    An axis that is logarithmic (`log`) has ticks at powers of ten; if 0 is among `values`, it shows 0 one step before
    the first of them.

    >>> axis = Axis([0.0, 0.01, 1.0], log=True, start=0, end=300)
    >>> [text for _, text in axis.ticks], axis.position(0.0), axis.position(0.1)
    (['0', '0.01', '0.1', '1'], 0.0, 200.0)
    """

    def __init__(self, values: Sequence[float], log: bool, start: float, end: float) -> None:
        self._log, self._start, self._end, self._zero = log, start, end, 0.0
        if log:
            above = [value for value in values if value > 0] or [1.0]
            low, high = _outwards(min(above), max(above))
            shown = _powers(low, high)
            digits = _MOST_DIGITS
            if min(values, default=1.0) <= 0.0:
                self._zero = low = low / 10
                shown = [0.0, *shown]
        else:
            shown = _rounds(min(values, default=0.0), max(values, default=1.0))
            low, high = shown[0], shown[-1]
            digits = _digits(shown)
        self._low, self._high = self._scaled(low), self._scaled(high)
        self.ticks = [(value, f"{value:,.{digits}g}") for value in shown]

    def shows(self, value: float) -> bool:
        """Whether the axis can show this `value`."""
        return math.isfinite(value) and (not self._log or value > 0.0 or (value == 0.0 and self._zero > 0.0))

    def position(self, value: float) -> float:
        """The position of this `value`, in pixels; values beyond the axis are clipped to its ends."""
        share = (self._scaled(value) - self._low) / (self._high - self._low)
        return self._start + (self._end - self._start) * min(max(share, 0.0), 1.0)

    def _scaled(self, value: float) -> float:
        if not self._log:
            return value
        return math.log(max(value, self._zero)) if max(value, self._zero) > 0.0 else -math.inf


def _rounds(low: float, high: float) -> list[float]:
    """At most seven multiples of 1, 2, 2.5 or 5 times a power of ten, from below `low` to above `high`."""
    least = max(_NARROWEST * max(abs(low), abs(high)), sys.float_info.min)
    if high - low <= least:
        low, high = low - max(0.5, least), high + max(0.5, least)
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [i * step for i in range(first, last + 1)]


def _outwards(low: float, high: float) -> tuple[float, float]:
    """The largest 1, 2 or 5 times a power of ten up to `low`, and the smallest from `high` on; they always differ."""
    steps = [m * 10.0**i for i in range(_decade(low) - 1, _decade(high) + 3) for m in (1, 2, 5)]
    below = max(step for step in steps if step <= low * (1 + 1e-9))
    return below, min(step for step in steps if step >= high * (1 - 1e-9) and step > below)


def _powers(low: float, high: float) -> list[float]:
    """At most nine powers of ten in the range; if it is less than two decades, also 2 and 5 times those powers."""
    first, last = _decade(low), _decade(high)
    factors = (1, 2, 5) if high < 100 * low else (1,)
    powers = range(first, last + 1, 1 + (last - first) // 9)
    found = [m * 10.0**i for i in powers for m in factors]
    return [value for value in found if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def _decade(value: float) -> int:
    return math.floor(math.log10(value) + 1e-9)


def _digits(ticks: list[float]) -> int:
    """The significant digits that the ticks need: a step of 2.5 has two. Short integers are written in full."""
    size, step = _decade(max(map(abs, ticks))), _decade(ticks[1] - ticks[0])
    return max(size - step + 2, size + 1 if size < _MOST_DIGITS else 0)
