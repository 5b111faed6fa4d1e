r"""Mean and variance of a number, kept as exact sums.

State: n, the sum of x and the sum of x^2, all integers (in 1/256 of a message and in units of 2^-scale). From
them, with no rounding but the last:

    mean = sum x / n        M2 = sum x^2 - (sum x)^2 / n        variance = M2 / n    (1/N, maximum likelihood)

Welford's update and Chan's merge carry mean and M2 as floats because in floats the formulas above cancel.
Here nothing cancels, merging and removing are additions and subtractions, and every order of the same rows
gives the same bits, which no float form does. What it costs: `python -m tests.benchmarks.exact_sums`.

Source for what this avoids: Chan, Golub and LeVeque, Algorithms for computing the sample variance, The American
Statistician 37 (1983).
"""

from __future__ import annotations

import math
from typing import Self

from stream_nb.exact_sum import dyadic
from stream_nb.kernels.layout import UNIT

_SPARE_BITS = 128


class Moments:
    """n, mean and 1/N variance of the values of one feature in one class.

    >>> moments = Moments()
    >>> for x in (2.0, -1.2, 2.2):
    ...     moments.add(x)
    >>> moments.n, moments.mean, moments.variance
    (3.0, 1.0, 2.426667)
    >>> moments.remove(2.2)
    >>> moments.mean
    0.4
    """

    __slots__ = ("_mean", "_scale", "_squares", "_std", "_sum", "_units")

    def __init__(self, units: int = 0, total: int = 0, squares: int = 0, scale: int = 0) -> None:
        self._units = units
        self._sum = total
        self._squares = squares
        self._scale = scale
        self._forget()

    def _forget(self) -> None:
        self._mean: float | None = None
        self._std: float | None = None

    @property
    def empty(self) -> bool:
        """No value is held."""
        return self._units == 0

    @property
    def n(self) -> float:
        """Number of values, in messages."""
        return self._units / UNIT

    @property
    def mean(self) -> float:
        """The mean, correctly rounded; 0.0 when empty."""
        if self._mean is None:
            self._mean = self._sum / (self._units << self._scale) if self._units else 0.0
        return self._mean

    @property
    def std(self) -> float:
        """Square root of `variance`, to the last place or one beside it; right even where the variance
        itself is beyond the range of floats. 0.0 when all values are equal, or none is held."""
        if self._std is None:
            spread = self._spread
            shift = max(0, _SPARE_BITS - spread.bit_length()) // 2
            below = self._units << (self._scale + shift)
            self._std = math.isqrt(spread << (2 * shift)) / below if spread > 0 else 0.0
        return self._std

    @property
    def variance(self) -> float:
        """M2 / n, correctly rounded; infinite beyond the largest float."""
        return _ratio(self._spread, self._units**2 << (2 * self._scale))

    @property
    def m2(self) -> float:
        """Sum of squared deviations from the mean, correctly rounded; infinite beyond the largest float."""
        return _ratio(self._spread, self._units * UNIT << (2 * self._scale))

    @property
    def _spread(self) -> int:
        """n^2 variance, in the state's own units."""
        return self._units * self._squares - self._sum**2

    def add(self, x: float) -> None:
        """Count one value. Raises ValueError unless it is finite."""
        m, k = dyadic(x)
        if k > self._scale:
            self._rescale(k)
        m <<= self._scale - k
        self._units += UNIT
        self._sum += UNIT * m
        self._squares += UNIT * m * m
        self._mean = self._std = None

    def remove(self, x: float) -> None:
        """Take back one value counted before. Raises ValueError when nothing is held, or `x` is not
        finite."""
        m, k = dyadic(x)
        if self._units < UNIT:
            raise ValueError(f"no value is held: {x!r} cannot be removed")
        if k > self._scale:
            self._rescale(k)
        m <<= self._scale - k
        self._units -= UNIT
        self._sum -= UNIT * m
        self._squares -= UNIT * m * m
        self._forget()

    def merge(self, other: Self) -> None:
        """Count all that another holds."""
        units, total, squares, scale = other.sums()
        if scale > self._scale:
            self._rescale(scale)
        by = self._scale - scale
        self._units += units
        self._sum += total << by
        self._squares += squares << (2 * by)
        self._forget()

    def decay(self, factor: float) -> None:
        """Multiply n by `factor` (0 to 1), rounded to 1/256; mean and variance stay, to 2^-60 of the
        deviation."""
        units = round_product(self._units, factor)
        spread = self._spread
        spare = spread.bit_length() - 2 * self._units.bit_length() if spread else _SPARE_BITS
        self._rescale(self._scale + max(0, _SPARE_BITS - spare + 1) // 2)
        if units:
            self._sum = _round_ratio(self._sum * units, self._units)
            self._squares = _round_ratio(self._squares * units, self._units)
        else:
            self._sum = self._squares = self._scale = 0
        self._units = units
        self._forget()

    def _rescale(self, scale: int) -> None:
        self._sum <<= scale - self._scale
        self._squares <<= 2 * (scale - self._scale)
        self._scale = scale

    def sums(self) -> tuple[int, int, int, int]:
        """n in 1/256, the sums of x and of x^2 times that, in units of 2^-scale and 2^-(2 scale), and the scale."""
        return self._units, self._sum, self._squares, self._scale

    def state(self) -> tuple[int, int, int, int]:
        """The statistics as integers, the same for equal statistics whatever the order they came in."""
        spare = min(
            self._scale,
            _trailing_zeros(self._sum) if self._sum else self._scale,
            _trailing_zeros(self._squares) // 2 if self._squares else self._scale,
        )
        return self._units, self._sum >> spare, self._squares >> (2 * spare), self._scale - spare

    @classmethod
    def from_state(cls, state: tuple[int, int, int, int]) -> Self:
        """The moments with this `state`. Raises ValueError for what is none."""
        units, total, squares, scale = state
        if not all(type(number) is int for number in state) or units <= 0 or not 0 <= scale <= 4096:
            raise ValueError(f"moments {state!r}: not four integers with a count above 0")
        if units * squares < total**2:
            raise ValueError("moments with a negative variance")
        return cls(units, total, squares, scale)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moments) and self.state() == other.state()

    __hash__ = None  # type: ignore[assignment]


def pooled_std(groups: list[Moments]) -> float:
    """Square root of the variance within the groups, sum of M2 / sum of n; 0.0 without values.

    >>> a, b = Moments(), Moments()
    >>> for x in (1.0, 3.0): a.add(x); b.add(x + 100)
    >>> pooled_std([a, b])
    1.0
    """
    weight = math.fsum(group.n for group in groups)
    # hypot of parts: squares of deviations may be beyond the range of floats
    return math.hypot(*(group.std * math.sqrt(group.n / weight) for group in groups)) if weight else 0.0


def round_product(units: int, factor: float) -> int:
    """units * factor to the nearest integer, a half up; computed exactly."""
    a, b = factor.as_integer_ratio()
    return (2 * units * a + b) // (2 * b)


def _round_ratio(above: int, below: int) -> int:
    return (2 * above + below) // (2 * below)


def _ratio(above: int, below: int) -> float:
    if above <= 0:
        return 0.0
    try:
        return above / below
    except OverflowError:
        return math.inf


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1
