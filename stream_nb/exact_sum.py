"""Sums of floats without rounding: they do not depend on order, and subtraction restores them bit for bit.

A finite float is an integer times a power of two, so a sum kept as one integer and one exponent is exact. The integer
is as wide as the range of the values needs: tens of bits for measurements of one kind, 2,100 bits for the widest
range.
"""

from __future__ import annotations

import math


def dyadic(x: float) -> tuple[int, int]:
    """Return (m, k) such that x == m / 2^k with the least k >= 0. Raises ValueError for infinities and NaN.

    >>> dyadic(0.75)
    (3, 2)
    """
    if not math.isfinite(x):
        raise ValueError(f"value is {x!r}: only finite numbers can be added")
    m, d = x.as_integer_ratio()
    return m, d.bit_length() - 1


class ExactSum:
    """A running sum of finite floats, rounded only when it is read.

    >>> total = ExactSum()
    >>> for x in (1e16, 1.0, -1e16):
    ...     total.add(x)
    >>> total.value()
    1.0
    >>> total.remove(1.0)
    >>> total.value()
    0.0
    """

    __slots__ = ("_k", "_m")

    def __init__(self) -> None:
        self._m = 0
        self._k = 0

    def add(self, x: float) -> None:
        """Add `x`. Raises ValueError unless it is finite."""
        self._shift(*dyadic(x), sign=1)

    def remove(self, x: float) -> None:
        """Subtract `x`: the exact inverse of `add`. Raises ValueError unless it is finite."""
        self._shift(*dyadic(x), sign=-1)

    def _shift(self, m: int, k: int, sign: int) -> None:
        if k > self._k:
            self._m <<= k - self._k
            self._k = k
        self._m += sign * (m << (self._k - k))

    def value(self) -> float:
        """Return the sum, correctly rounded; 0.0 when empty, inf or -inf beyond the largest float."""
        try:
            return self._m / (1 << self._k)
        except OverflowError:
            return math.inf if self._m > 0 else -math.inf
