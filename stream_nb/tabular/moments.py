r"""Mean and variance of a number, kept as exact sums.

State: n, the sum of x and the sum of x^2, as integers (in 1/256 of a message; in units of 2^-1126 and 2^-2252). From
them, with no rounding but the last:

    mean = sum x / n        M2 = sum x^2 - (sum x)^2 / n        variance = M2 / n    (1/N, maximum likelihood)

Welford's update and Chan's merge carry mean and M2 as floats because in floats the formulas above cancel.
Here nothing cancels, merging and removing are additions and subtractions, and every order of the same rows
gives the same bits, which no float form does. Every finite float is taken as it is, whatever its size. What it costs:
`python -m tests.benchmarks.exact_sums`.

Source for what this avoids: Chan, Golub and LeVeque, Algorithms for computing the sample variance, The American
Statistician 37 (1983).
"""

from __future__ import annotations

import math
from typing import Self

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import LOWEST_BIT, MOMENTS, UNIT, Moment


class Moments:
    """n, mean and 1/N variance of the values of one feature in one class.

    Arguments: `row` is what `kernels.exact_moments` adds to (int64[MOMENTS]); it is changed in place. Without it the
    moments are empty.

    >>> moments = Moments()
    >>> for x in (2.0, -1.2, 2.2):
    ...     moments.add(x)
    >>> moments.n, moments.mean, moments.variance
    (3.0, 1.0, 2.426667)
    >>> moments.remove(2.2)
    >>> moments.mean
    0.4
    """

    __slots__ = ("_read", "row")

    def __init__(self, row: np.ndarray | None = None) -> None:
        self.row = np.zeros(MOMENTS, np.int64) if row is None else row
        self._forget()

    def _forget(self) -> None:
        self._read: tuple[float, float] | None = None

    @property
    def empty(self) -> bool:
        """No value is held."""
        return not self.row[Moment.COUNT]

    @property
    def n(self) -> float:
        """Number of values, in messages."""
        return self.row.item(Moment.COUNT) / UNIT

    @property
    def mean(self) -> float:
        """The mean, to the last place or one beside it; 0.0 when empty."""
        return self.mean_and_std()[0]

    @property
    def std(self) -> float:
        """Square root of `variance`, to the last place or one beside it; right even where the variance
        itself is beyond the range of floats. 0.0 when all values are equal, or none is held."""
        return self.mean_and_std()[1]

    def mean_and_std(self) -> tuple[float, float]:
        """Both, at the price of one."""
        read = self._read
        if read is None:
            read = self._read = kernels.mean_and_std(self.row)
        return read

    @property
    def variance(self) -> float:
        """M2 / n, correctly rounded; infinite beyond the largest float."""
        units, total, squares = self.sums()
        return _ratio(units * squares - total**2, units**2 << (2 * LOWEST_BIT))

    @property
    def m2(self) -> float:
        """Sum of squared deviations from the mean, correctly rounded; infinite beyond the largest float."""
        units, total, squares = self.sums()
        return _ratio(units * squares - total**2, units * UNIT << (2 * LOWEST_BIT))

    def add(self, x: float, units: int = UNIT) -> None:
        """Count one value, with a weight in 1/256 of a message. Raises ValueError unless it is finite."""
        kernels.add_value(self.row, _finite(x), units)
        self._forget()

    def remove(self, x: float) -> None:
        """Take back one value counted before. Raises ValueError when nothing is held, or `x` is not
        finite."""
        if self.row[Moment.COUNT] < UNIT:
            raise ValueError(f"no value is held: {x!r} cannot be removed")
        self.add(x, -UNIT)

    def merge(self, other: Self) -> None:
        """Count all that another holds."""
        kernels.add_rows(self.row, other.row, 1)
        self._forget()

    def unmerge(self, other: Self) -> None:
        """Take back all that another holds. Raises ValueError when there are not so many values."""
        if other.row[Moment.COUNT] > self.row[Moment.COUNT]:
            raise ValueError(f"{self.n} values are held: {other.n} cannot be taken back")
        kernels.add_rows(self.row, other.row, -1)
        self._forget()

    def decay(self, factor: float) -> None:
        """Multiply n by `factor` (0 to 1), rounded to 1/256; mean and variance stay, as far as sums in whole units
        allow."""
        before, total, squares = self.sums()
        units = round_product(before, factor)
        if units:
            total, squares = _round_ratio(total * units, before), _round_ratio(squares * units, before)
        self.row[:] = _row(units, total, squares) if units else 0
        self._forget()

    def sums(self) -> tuple[int, int, int]:
        """n in 1/256, the sums of x and of x^2 times that, in units of 2^-1126 and 2^-2252."""
        total, bit = self._sum_of(Moment.SUM, Moment.SQUARES, 1)
        squares, bit2 = self._sum_of(Moment.SQUARES, MOMENTS, 2)
        return self.row.item(Moment.COUNT), total << bit, squares << bit2

    def state(self) -> tuple[int, int, int, int]:
        """n in 1/256, the sums of x and of x^2 times that in units of 2^-scale and 2^-(2 scale), and the least scale;
        the same for equal statistics whatever the order they came in."""
        units, total, squares = self.sums()
        spare = min(
            LOWEST_BIT,
            _trailing_zeros(total) if total else LOWEST_BIT,
            _trailing_zeros(squares) // 2 if squares else LOWEST_BIT,
        )
        return units, total >> spare, squares >> (2 * spare), LOWEST_BIT - spare

    @classmethod
    def from_state(cls, state: tuple[int, int, int, int]) -> Self:
        """The moments with this `state`. Raises ValueError for what is none."""
        units, total, squares, scale = state
        if not all(type(number) is int for number in state) or units <= 0 or not 0 <= scale <= LOWEST_BIT:
            raise ValueError(f"moments {state!r}: not four integers with a count above 0 and a scale to {LOWEST_BIT}")
        if units * squares < total**2:
            raise ValueError("moments with a negative variance")
        return cls.from_sums(units, total, squares, scale)

    @classmethod
    def from_sums(cls, units: int, total: int, squares: int, scale: int = LOWEST_BIT) -> Self:
        """The moments with these sums (see `state`), in any sign. Raises ValueError for sums beyond the range."""
        return cls(_row(units, total << (LOWEST_BIT - scale), squares << 2 * (LOWEST_BIT - scale)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moments) and self.sums() == other.sums()

    def _sum_of(self, first: int, past: int, power: int) -> tuple[int, int]:
        """(s, b): the sum of values to a power, s 2^b, from its digits `first` to past - 1; others than those from
        BEGIN to a few beyond END are 0 (see `kernels.exact_moments`)."""
        begin, end = self.row.item(Moment.BEGIN), self.row.item(Moment.END)
        total, past = 0, min(first + power * end + 3 * power + 3, past)
        for digit in reversed(self.row[first + power * begin : past].tolist()):
            total = (total << 32) + digit
        return total, 32 * power * begin


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


def _finite(x: float) -> float:
    if not math.isfinite(x):
        raise ValueError(f"value is {x!r:.60}: a sum takes finite numbers only")
    return float(x)


def _row(units: int, total: int, squares: int) -> np.ndarray:
    """The row with these sums. Raises ValueError for sums that no values within the range of floats have."""
    row = np.zeros(MOMENTS, np.int64)
    row[Moment.COUNT] = units
    total_digits, squares_digits = (
        _digits(total, Moment.SQUARES - Moment.SUM),
        _digits(squares, MOMENTS - Moment.SQUARES),
    )
    row[Moment.SUM : Moment.SQUARES], row[Moment.SQUARES :] = total_digits, squares_digits
    held = [*np.flatnonzero(total_digits).tolist(), *(np.flatnonzero(squares_digits) // 2).tolist()]
    if held:
        row[Moment.BEGIN], row[Moment.END] = min(held), max(held) + 1
    return row


def _digits(number: int, most: int) -> np.ndarray:
    """The digits of an integer in base 2^32, lowest first, all of its sign."""
    size = abs(number)
    if size >> (32 * (most - 1)):
        raise ValueError(f"a sum of {size.bit_length()} bits is beyond what floats add up to")
    digits = np.frombuffer(size.to_bytes(4 * most, "little"), np.uint32).astype(np.int64)
    return -digits if number < 0 else digits


def _ratio(above: int, below: int) -> float:
    if above <= 0:
        return 0.0
    try:
        return above / below
    except OverflowError:
        return math.inf


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1
