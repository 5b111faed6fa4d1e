"""Exact sums of numbers and of their squares, in the fixed point that holds every finite float.

A row (int64[MOMENTS]) is laid out by `layout.Moment`: how many values it has, in 1/256 of a message, then the sum of
the values and the sum of their squares, each times its weight. Both sums are integers in base 2^32, lowest digit
first; the first digit of the sum counts 2^-1126, that of the squares 2^-2252. So every finite float is added without
rounding, whatever came before it, and taken back without a trace; rows add up digit by digit. Digits lie between -2^32
and 2^32 and may have either sign: a carry then goes no further than it must, also where a sum is near zero.

Values begin in the digits from BEGIN to END - 1 of the sum; no value yet is 0 to 0. That is only where to look: it does
not shrink when values are taken back, and rows are equal whatever it is.

Source: U. Kulisch, Computer Arithmetic and Validity (2008), chapter 8 (the long accumulator).
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import LOWEST_BIT, MOMENTS, Moment

COUNT, BEGIN, END, SUM, SQUARES = map(int, Moment)
_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_BASE = 1 << 32
_SPLIT = 134217729.0  # 2^27 + 1
_ZERO = np.uint64(0)
READING = 2 * (SQUARES - SUM) + 14


@inlined
def _put(row, digit, bit, value, sign):
    """Add sign * value * 2^bit to the integer that begins at `digit`, without carrying; value below 2^64."""
    k = digit + (bit >> 5)
    by = np.uint64(bit & 31)
    low, high = (value & _LOW) << by, (value >> _32) << by
    row[k] += sign * np.int64(low & _LOW)
    row[k + 1] += sign * (np.int64(low >> _32) + np.int64(high & _LOW))
    row[k + 2] += sign * np.int64(high >> _32)


@inlined
def _carry(row, k, least):
    """Bring the digits from k on within their bounds: `least` of them, and more while something is carried."""
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
    """Add the finite number `x` with a weight in 1/256 of a message, from -2^10 to 2^10; below 0 takes it back."""
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
    # Where digits of a row can be other than 0: see `mean_and_std`.
    for k in range(SUM + begin, min(SUM + end + 6, SQUARES - 1)):
        row[k] += sign * other[k]
        _carry(row, k, 1)
    for k in range(SQUARES + 2 * begin, min(SQUARES + 2 * end + 9, MOMENTS - 1)):
        row[k] += sign * other[k]
        _carry(row, k, 1)


@inlined
def _magnitude(row, first, end, digits):
    """Fill `digits` (uint64) with those of the absolute value of an integer, each from 0 to 2^32 - 1; its sign, and
    one more than its highest digit that is not 0."""
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
    """(high, low, exponent) with the integer below `top` digits equal to (high + low) 2^exponent, but for what lies
    beyond 96 bits: high has 53 bits, 2^52 <= high < 2^53, and low is less than 1."""
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
    """(p, e) with a b = p + e exactly (Dekker)."""
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
    """(high + low) / below, rounded once."""
    q = high / below
    p, e = _product(q, below)
    return q + (((high - p) - e) + low) / below


@kernel
def mean_and_std(row):
    """Mean and 1/N standard deviation of what a row holds: see `read_moments`."""
    return read_moments(row, np.empty((3, READING), np.int64))


@kernel
def read_moments(row, reading):
    """Mean and 1/N standard deviation of what a row holds, to the last place or one beside it; 0.0 for nothing.
    `reading` (int64[3, READING]) is to work in.

    The variance is (n squares - sum^2) / n^2: worked out in integers, so that nothing cancels.
    """
    n = row[COUNT]
    if n <= 0 or row[END] == 0:
        return 0.0, 0.0
    # Four digits hold a value and its weight, two more all that many values carry; of squares twice that.
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
