"""CSS lengths, with calc(), min(), max() and clamp() (compiled).

Source: W3C, CSS Values and Units Module Level 4, 10 Mathematical Expressions.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css.syntax import (
    ANGLE,
    NOTHING,
    NUMBER,
    PIXELS,
    UNIT,
    in_pixels,
    index,
    key,
    keys,
    read_name,
    read_number,
    skip_blank,
)
from stream_nb.kernels.jit import borrowing, kernel

_FUNCTIONS = keys("calc -webkit-calc min max clamp")
_MIN, _MAX, _CLAMP = key("min"), key("max"), key("clamp")
_DEPTH = 32
_LARGEST = 1_000_000 * UNIT
_OPEN, _COMMA, _PLUS, _MINUS, _TIMES, _OVER = 0, 44, 43, 45, 42, 47


@borrowing
def read_length(css, i, end):
    """Return (kind, value, index after it) of the number or the mathematical function at `i`."""
    kind, value, after = read_number(css, i, end)
    if kind == NOTHING:
        name, after = read_name(css, i, end)
        if after >= end or css[after] != 40 or index(_FUNCTIONS, name) < 0:
            return NOTHING, 0, i
        return _calculate(css, i, end)
    return kind, value, after


@kernel
def _calculate(css, i, end):
    """Evaluate the function at `i`, up to its closing parenthesis or `end`; NOTHING if it is invalid or too deep."""
    stacks = np.empty((4, _DEPTH), np.int64)
    return _evaluate(css, i, end, stacks[0], stacks[1], stacks[2], stacks[3])


@borrowing
def _evaluate(css, i, end, kinds, values, signs, names):
    """`_calculate` with a stack of operands (kinds and values) and one of signs; names are those of open functions."""
    n, depth = 0, 0
    operand = True  # what comes next is an operand, not a sign
    while n < _DEPTH - 1 and depth < _DEPTH - 1:
        i = skip_blank(css, i, end)
        if operand:
            kind, value, after = read_number(css, i, end)
            name = 0
            if kind == NOTHING:
                name, after = read_name(css, i, end)
                if after >= end or css[after] != 40 or (after > i and index(_FUNCTIONS, name) < 0):
                    break
                signs[depth], names[depth] = _OPEN, name
                depth += 1
                after += 1
            elif kind >= ANGLE:
                break
            else:
                kinds[n], values[n] = kind, min(max(value, -_LARGEST), _LARGEST)
                n += 1
                operand = False
            i = after
            continue
        sign = 41 if i >= end else int(css[i])
        binds = 2 if sign == _TIMES or sign == _OVER else 1 if sign == _PLUS or sign == _MINUS else 0
        while depth > 0 and signs[depth - 1] != _OPEN and signs[depth - 1] != _COMMA:
            if binds == 2 and (signs[depth - 1] == _PLUS or signs[depth - 1] == _MINUS):
                break
            depth -= 1
            n -= 1
            if not _apply(signs[depth], kinds, values, n - 1):
                return NOTHING, 0, i
        if sign == 41:
            count = 1
            while signs[depth - 1] == _COMMA:
                depth -= 1
                count += 1
            depth -= 1
            n -= count
            if not _call(names[depth], count, kinds, values, n):
                return NOTHING, 0, i
            n += 1
            i = min(i + 1, end)
            if depth == 0:
                return kinds[0], values[0], i
            continue
        if binds == 0 and sign != _COMMA:
            break
        signs[depth] = sign
        depth += 1
        operand = True
        i += 1
    return NOTHING, 0, i


@borrowing
def _same_kind(kinds, values, n):
    """Bring two operands to the same kind; return whether both are lengths, or both numbers."""
    if kinds[n] != kinds[n + 1]:
        if kinds[n] == NUMBER or kinds[n + 1] == NUMBER:
            return False
        for k in (n, n + 1):
            kinds[k], values[k] = PIXELS, in_pixels(kinds[k], values[k])
    return True


@borrowing
def _apply(sign, kinds, values, n):
    """Replace the operands at n and n + 1 by their sum, difference, product or quotient; return whether it exists."""
    left, right = values[n], values[n + 1]
    if sign == _TIMES:
        if kinds[n] != NUMBER and kinds[n + 1] != NUMBER:
            return False
        kinds[n] = max(kinds[n], kinds[n + 1])  # NUMBER is the least kind
        value = left * right // UNIT
    elif sign == _OVER:
        if kinds[n + 1] != NUMBER or right == 0:
            return False
        value = left * UNIT // right
    else:
        if not _same_kind(kinds, values, n):
            return False
        value = values[n] + values[n + 1] if sign == _PLUS else values[n] - values[n + 1]
    values[n] = min(max(value, -_LARGEST), _LARGEST)
    return True


@borrowing
def _call(name, count, kinds, values, n):
    """Replace `count` operands from n by the function's result; return whether it exists."""
    if name == _CLAMP and count == 3:
        return _least_or_most(True, kinds, values, n + 1) and _least_or_most(False, kinds, values, n)
    if name != _MIN and name != _MAX:
        return count == 1
    for k in range(count - 2, -1, -1):
        if not _least_or_most(name == _MIN, kinds, values, n + k):
            return False
    return True


@borrowing
def _least_or_most(least, kinds, values, n):
    """Replace the operands at n and n + 1 by the smaller or the larger one; return whether they can be compared."""
    if not _same_kind(kinds, values, n):
        return False
    values[n] = min(values[n], values[n + 1]) if least else max(values[n], values[n + 1])
    return True
