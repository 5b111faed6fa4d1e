r"""Mean and variance of a number, from exact sums.

The state is n, in 1/256 of a message, and the sums of x and x^2, as integers in units of 2^-1126 and 2^-2252. Only the
last step of these formulas rounds:

    mean = sum x / n        M2 = sum x^2 - (sum x)^2 / n        variance = M2 / n    (1/N, maximum likelihood)

With floats these formulas suffer from cancellation, so Welford's update and Chan's merge store mean and M2 instead.
Exact sums do not: merging is addition, removing is subtraction, and any order of the same values gives the same bits,
which no float algorithm achieves. Every finite float is added exactly. `python -m tests.benchmarks.exact_sums` measures
the cost.

Source for the float algorithms: Chan, Golub and LeVeque, Algorithms for computing the sample variance, The American
Statistician 37 (1983).
"""

from __future__ import annotations

import math
from typing import Self

import numpy as np

from stream_nb import kernels
from stream_nb.kernels.layout import UNIT
from stream_nb.kernels.tabular.number_layout import LOWEST_BIT, MOMENTS, Moment
from stream_nb.tabular.normal import Normal


class Moments:
    """n, mean and 1/N variance of the values of one feature in one class.

    Args:
        row: The sums, int64[MOMENTS] (see `kernels.tabular.exact_moments`), changed in place; None for empty moments.

    >>> moments = Moments()
    >>> for x in (2.0, -1.2, 2.2):
    ...     moments.add(x)
    >>> moments.n, moments.mean, moments.variance
    (3.0, 1.0, 2.426667)
    >>> moments.remove(2.2)
    >>> moments.mean
    0.4
    """

    __slots__ = ("_mean_and_std", "row")

    def __init__(self, row: np.ndarray | None = None) -> None:
        self.row = np.zeros(MOMENTS, np.int64) if row is None else row
        self._invalidate()

    def _invalidate(self) -> None:
        self._mean_and_std: Normal | None = None

    @property
    def empty(self) -> bool:
        """Whether n is 0."""
        return not self.row[Moment.COUNT]

    @property
    def n(self) -> float:
        """Number of values, in messages."""
        return self.row.item(Moment.COUNT) / UNIT

    @property
    def mean(self) -> float:
        """The mean, accurate to within one unit in the last place; 0.0 when empty."""
        return self.mean_and_std()[0]

    @property
    def std(self) -> float:
        """Square root of `variance`, accurate to within one unit in the last place, even if the variance exceeds the
        range of floats. 0.0 when empty, and when all values are equal."""
        return self.mean_and_std()[1]

    def mean_and_std(self) -> Normal:
        """`mean` and `std`, computed together and cached."""
        cached = self._mean_and_std
        if cached is None:
            cached = self._mean_and_std = Normal(*kernels.mean_and_std(self.row))
        return cached

    @property
    def variance(self) -> float:
        """M2 / n, correctly rounded; inf beyond the largest float."""
        units, total, squares = self.sums()
        return _ratio(units * squares - total**2, units**2 << (2 * LOWEST_BIT))

    def add(self, x: float, units: int = UNIT) -> None:
        """Add one value with weight `units`, in 1/256 of a message. Raises ValueError unless it is finite."""
        kernels.add_value(self.row, _finite(x), units)
        self._invalidate()

    def remove(self, x: float) -> None:
        """Subtract one value that was added before. Raises ValueError, and changes nothing, if `x` is not finite or
        cannot have been added."""
        if self.row[Moment.COUNT] < UNIT:
            raise ValueError(f"no value has been added: {x!r} cannot be removed")
        self.add(x, -UNIT)
        if self._impossible():
            self.add(x)
            raise ValueError(f"the values that have been added cannot include {x!r}: it cannot be removed")

    def merge(self, other: Self) -> None:
        """Add the values of other moments."""
        kernels.add_rows(self.row, other.row, 1)
        self._invalidate()

    def unmerge(self, other: Self) -> None:
        """Subtract the values of other moments. Raises ValueError, and changes nothing, if these cannot have them."""
        if other.row[Moment.COUNT] > self.row[Moment.COUNT]:
            raise ValueError(f"only {self.n} values have been added: {other.n} cannot be removed")
        removed = other.row.copy()  # because `other` may be `self`
        kernels.add_rows(self.row, removed, -1)
        self._invalidate()
        if self._impossible():
            kernels.add_rows(self.row, removed, 1)
            raise ValueError("the values that have been added cannot include these: they cannot be removed")

    def _impossible(self) -> bool:
        """Whether no values have these sums: the variance would be negative, or the sums are not 0 without values."""
        units, total, squares = self.sums()
        return units * squares < total**2 or (not units and squares != 0)

    def decay(self, factor: float) -> None:
        """Multiply n by `factor` (0 to 1), rounded to 1/256. Mean and variance do not change, except for the rounding
        of the sums."""
        before, total, squares = self.sums()
        units = round_product(before, factor)
        if units:
            total, squares = _round_ratio(total * units, before), _round_ratio(squares * units, before)
        self.row[:] = _row(units, total, squares) if units else 0
        self._invalidate()

    def sums(self) -> tuple[int, int, int]:
        """(n, sum of x, sum of x^2), all weighted in 1/256 of a message; the last two in units of 2^-1126 and
        2^-2252."""
        total, bit = self._sum_of(Moment.SUM, Moment.SQUARES, 1)
        squares, bit2 = self._sum_of(Moment.SQUARES, MOMENTS, 2)
        return self.row.item(Moment.COUNT), total << bit, squares << bit2

    def state(self) -> tuple[int, int, int, int]:
        """(n, sum of x, sum of x^2, scale): like `sums`, but in units of 2^-scale and 2^-(2 scale) with the least
        scale. Equal statistics give equal states, whatever the order of the values."""
        units, total, squares = self.sums()
        shift = min(
            LOWEST_BIT,
            _trailing_zeros(total) if total else LOWEST_BIT,
            _trailing_zeros(squares) // 2 if squares else LOWEST_BIT,
        )
        return units, total >> shift, squares >> (2 * shift), LOWEST_BIT - shift

    @classmethod
    def from_state(cls, state: tuple[int, int, int, int]) -> Self:
        """The moments with this `state`. Raises ValueError if it is invalid."""
        units, total, squares, scale = state
        if not all(type(number) is int for number in state) or units <= 0 or not 0 <= scale <= LOWEST_BIT:
            raise ValueError(f"moments {state!r}: not four integers with a count above 0 and a scale to {LOWEST_BIT}")
        if units * squares < total**2:
            raise ValueError("moments with a negative variance")
        return cls.from_sums(units, total, squares, scale)

    @classmethod
    def from_sums(cls, units: int, total: int, squares: int, scale: int = LOWEST_BIT) -> Self:
        """The moments with these sums (see `state`), which may be negative. Raises ValueError if they are too large."""
        return cls(_row(units, total << (LOWEST_BIT - scale), squares << 2 * (LOWEST_BIT - scale)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moments) and self.sums() == other.sums()

    def _sum_of(self, first: int, past: int, power: int) -> tuple[int, int]:
        """(s, b) such that s 2^b is the sum of the values to a power. Its digits are in columns `first` to past - 1;
        they are 0 except from BEGIN to a few beyond END (see `kernels.tabular.exact_moments`)."""
        begin, end = self.row.item(Moment.BEGIN), self.row.item(Moment.END)
        total, past = 0, min(first + power * end + 3 * power + 3, past)
        for digit in reversed(self.row[first + power * begin : past].tolist()):
            total = (total << 32) + digit
        return total, 32 * power * begin


def pooled_std(groups: list[Moments]) -> float:
    """Square root of the pooled within-group variance, sum of M2 / sum of n; 0.0 without values.

    >>> a, b = Moments(), Moments()
    >>> for x in (1.0, 3.0): a.add(x); b.add(x + 100)
    >>> pooled_std([a, b])
    1.0
    """
    n = math.fsum(group.n for group in groups)
    # hypot, because squared deviations may exceed the range of floats
    return math.hypot(*(group.std * math.sqrt(group.n / n) for group in groups)) if n else 0.0


def round_product(units: int, factor: float) -> int:
    """units * factor rounded to the nearest integer, half to even: as `numpy.rint` decays counts of words, and so that
    repeated halving ends at 0."""
    return round(units * float(factor))


def _round_ratio(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def _finite(x: float) -> float:
    if not math.isfinite(x):
        raise ValueError(f"value is {x!r:.60}: only finite numbers can be added")
    return float(x)


def _row(units: int, total: int, squares: int) -> np.ndarray:
    """The row with these sums. Raises ValueError if they are too large to be sums of floats."""
    row = np.zeros(MOMENTS, np.int64)
    row[Moment.COUNT] = units
    total_digits = _digits(total, Moment.SQUARES - Moment.SUM)
    squares_digits = _digits(squares, MOMENTS - Moment.SQUARES)
    row[Moment.SUM : Moment.SQUARES], row[Moment.SQUARES :] = total_digits, squares_digits
    nonzero = [*np.flatnonzero(total_digits).tolist(), *(np.flatnonzero(squares_digits) // 2).tolist()]
    if nonzero:
        row[Moment.BEGIN], row[Moment.END] = min(nonzero), max(nonzero) + 1
    return row


def _digits(number: int, most: int) -> np.ndarray:
    """The `most` digits of an integer in base 2^32, lowest first, each with the sign of the integer."""
    size = abs(number)
    if size >> (32 * (most - 1)):
        raise ValueError(f"a sum of {size.bit_length()} bits is too large for a sum of floats")
    digits = np.frombuffer(size.to_bytes(4 * most, "little"), np.uint32).astype(np.int64)
    return -digits if number < 0 else digits


def _ratio(numerator: int, denominator: int) -> float:
    if numerator <= 0:
        return 0.0
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1
