"""Exact sums of numbers and of their squares, in fixed point with room for every finite float.

A row (int64[MOMENTS]) is laid out by `number_layout.Moment`: the number of values, in 1/256 of a message, then the sum
of the values and the sum of their squares, each value times its weight. Both sums are integers in base 2^32, lowest
digit first; the unit of the sum is 2^-1126, that of the squares 2^-2252. So every finite float is added without
rounding, and subtracted without a trace, in any order; rows are added digit by digit. Digits are between -2^32 and
2^32, with either sign, so that a carry goes no further than necessary, even if a sum is near zero.

The lowest digit of each value is among the digits BEGIN to END - 1 of the sum; both are 0 if there was no value. This
only limits the search: the range does not shrink when values are subtracted, and rows are compared without it.

Source: U. Kulisch, Computer Arithmetic and Validity (2008), chapter 8 (the long accumulator).
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.tabular.number_layout import LOWEST_BIT, MOMENTS, Moment

COUNT, BEGIN, END, SUM, SQUARES = map(int, Moment)
_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_BASE = 1 << 32
_SPLIT = 134217729.0  # 2^27 + 1
_ZERO = np.uint64(0)
READING = 2 * (SQUARES - SUM) + 14


@inlined
def _put(row, digit, bit, value, sign):
    """Add sign * value * 2^bit to the integer that begins at `digit`, without carrying; `value` is below 2^64."""
    k = digit + (bit >> 5)
    by = np.uint64(bit & 31)
    low, high = (value & _LOW) << by, (value >> _32) << by
    row[k] += sign * np.int64(low & _LOW)
    row[k + 1] += sign * (np.int64(low >> _32) + np.int64(high & _LOW))
    row[k + 2] += sign * np.int64(high >> _32)


@inlined
def _carry(row, k, least):
    """Carry from digit k on: through `least` digits, and on while a digit is out of bounds."""
    last = k + least
    while k < last or abs(row[k]) >= _BASE:
        more = abs(row[k]) >> 32
        if row[k] < 0:
            more = -more
        row[k] -= more << 32
        row[k + 1] += more
        k += 1


@kernel
def add_value(row, x, weight):
    """Add the finite number `x` with a weight in 1/256 of a message, -2^10 to 2^10; a negative weight subtracts it."""
    row[COUNT] += weight
    if x == 0.0 or weight == 0:
        return
    fraction, exponent = math.frexp(x)
    bit = np.int64(exponent) - 53 + LOWEST_BIT
    whole = np.uint64(np.int64(abs(fraction) * 9007199254740992.0))
    product = whole * np.uint64(abs(weight))
    sign = np.int64(1 if weight > 0 else -1)
    if row[END] == 0:
        row[BEGIN] = bit >> 5
    row[BEGIN], row[END] = min(row[BEGIN], bit >> 5), max(row[END], (bit >> 5) + 1)
    _put(row, SUM, bit, product, sign if x > 0.0 else -sign)
    _carry(row, SUM + (bit >> 5), 3)
    m0, m1, p0, p1 = whole & _LOW, whole >> _32, product & _LOW, product >> _32
    _put(row, SQUARES, 2 * bit, p0 * m0, sign)
    _put(row, SQUARES, 2 * bit + 32, p0 * m1, sign)
    _put(row, SQUARES, 2 * bit + 32, p1 * m0, sign)
    _put(row, SQUARES, 2 * bit + 64, p1 * m1, sign)
    _carry(row, SQUARES + (2 * bit >> 5), 5)


@kernel
def add_rows(row, other, sign):
    """Add `sign` times another row."""
    row[COUNT] += sign * other[COUNT]
    if other[END] == 0:
        return
    begin, end = int(other[BEGIN]), int(other[END])
    row[BEGIN] = begin if row[END] == 0 else min(row[BEGIN], begin)
    row[END] = max(row[END], end)
    # The digits that can be nonzero: see `read_moments`.
    for k in range(SUM + begin, min(SUM + end + 6, SQUARES - 1)):
        row[k] += sign * other[k]
        _carry(row, k, 1)
    for k in range(SQUARES + 2 * begin, min(SQUARES + 2 * end + 9, MOMENTS - 1)):
        row[k] += sign * other[k]
        _carry(row, k, 1)


@inlined
def _magnitude(row, first, end, digits):
    """Fill `digits` (uint64) with the digits of an integer's absolute value, each 0 to 2^32 - 1. Returns its sign, and
    the number of digits without leading zeros."""
    rest = np.int64(0)
    top = 0
    for k in range(end - first):
        value = row[first + k] + rest
        digits[k] = np.uint64(value & 0xFFFFFFFF)
        rest = value >> 32
        if digits[k] != _ZERO:
            top = k + 1
    if rest >= 0:
        return 1, top
    rest, top = np.int64(1), 0
    for k in range(end - first):
        value = np.int64(_LOW - digits[k]) + rest
        digits[k] = np.uint64(value & 0xFFFFFFFF)
        rest = value >> 32
        if digits[k] != _ZERO:
            top = k + 1
    return -1, top


@inlined
def _leading(digits, top):
    """Return (high, low, exponent), where (high + low) 2^exponent is the integer in the first `top` digits, except for
    what is beyond its leading 96 bits. high is an integer, 2^52 <= high < 2^53, and low is less than 1."""
    a = digits[top - 1] << _32
    if top > 1:
        a |= digits[top - 2]
    b = _ZERO
    if top > 2:
        b = digits[top - 3] << _32
    if top > 3:
        b |= digits[top - 4]
    shift, step = 0, 16
    while step > 0:
        if a >> np.uint64(64 - step) == _ZERO:
            a = (a << np.uint64(step)) | (b >> np.uint64(64 - step))
            b <<= np.uint64(step)
            shift += step
        step >>= 1
    high = float(np.int64(a >> np.uint64(11)))
    low = float(np.int64(a & np.uint64(2047))) / 2048.0 + float(np.int64(b >> np.uint64(11))) / 18446744073709551616.0
    return high, low, 32 * top - 53 - shift


@inlined
def _product(a, b):
    """Return (p, e) with a b = p + e exactly (Dekker)."""
    p = a * b
    t = _SPLIT * a
    a1 = t - (t - a)
    a2 = a - a1
    t = _SPLIT * b
    b1 = t - (t - b)
    b2 = b - b1
    return p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2


@inlined
def _quotient(high, low, below):
    """Return (high + low) / below, rounded once."""
    q = high / below
    p, e = _product(q, below)
    return q + (((high - p) - e) + low) / below


@kernel
def mean_and_std(row):
    """Return mean and 1/N standard deviation of a row: see `read_moments`."""
    return read_moments(row, np.empty((3, READING), np.int64))


@kernel
def read_moments(row, reading):
    """Return mean and 1/N standard deviation of a row, to within one unit in the last place; 0.0 for an empty row.
    `reading` (int64[3, READING]) is scratch space.

    The variance is (n squares - sum^2) / n^2, computed in integers, so that there is no cancellation.
    """
    n = row[COUNT]
    if n <= 0 or row[END] == 0:
        return 0.0, 0.0
    # A value times its weight needs four digits, and sums of many values carry into two more; squares need twice that.
    begin, end = int(row[BEGIN]), int(row[END])
    size = 2 * (end - begin) + 14
    digits, squares, spread = reading[0].view(np.uint64), reading[1].view(np.uint64), reading[2]
    spread[:size] = 0
    sign, top = _magnitude(row, SUM + begin, min(SUM + end + 6, SQUARES), digits)
    mean = 0.0
    if top > 0:
        high, low, exponent = _leading(digits, top)
        mean = sign * math.ldexp(_quotient(high, low, float(n)), exponent + 32 * begin - LOWEST_BIT)
    positive, most = _magnitude(row, SQUARES + 2 * begin, min(SQUARES + 2 * end + 9, MOMENTS), squares)
    if positive < 0:
        return mean, 0.0
    n0, n1 = np.uint64(n) & _LOW, np.uint64(n) >> _32
    for k in range(most):
        a, b = squares[k] * n0, squares[k] * n1
        spread[k] += np.int64(a & _LOW)
        spread[k + 1] += np.int64(a >> _32) + np.int64(b & _LOW)
        spread[k + 2] += np.int64(b >> _32)
    for i in range(top):
        for j in range(top):
            a = digits[i] * digits[j]
            spread[i + j] -= np.int64(a & _LOW)
            spread[i + j + 1] -= np.int64(a >> _32)
    positive, most = _magnitude(spread, 0, size, squares)
    if positive < 0 or most == 0:
        return mean, 0.0
    high, low, exponent = _leading(squares, most)
    if exponent % 2 != 0:
        high, low, exponent = 2.0 * high, 2.0 * low, exponent - 1
    root = math.sqrt(high)
    p, e = _product(root, root)
    rest = (((high - p) - e) + low) / (2.0 * root)
    return mean, math.ldexp(_quotient(root, rest, float(n)), exponent // 2 + 32 * begin - LOWEST_BIT)
