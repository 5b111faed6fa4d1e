"""The CSS tokens that decide what is visible: names and numbers (compiled).

Lengths are in 1/1000 px, plain numbers and percentages in 1/1000. Names are read as 62-bit keys of their lower case,
with backslash escapes decoded. Source: W3C, CSS Syntax Module Level 3.
"""

# pyright: basic

from collections.abc import Mapping

import numpy as np

from stream_nb.kernels.jit import borrowing, inlined

UNIT = 1000
NOTHING, NUMBER, PIXELS, EM, PERCENT, ANGLE, OTHER = range(7)
"""Kinds of numbers: none, without a unit, a length, a length relative to the font size, a percentage, an angle in
1/1000 degrees, another unit."""
_WINDOW_PX = 800
_EM_PX = 16
_MOST = 10_000_000
KEY_BITS = (1 << 62) - 1
_NO_BYTE = 255


def key(name: str) -> int:
    """Return the key that `read_name` returns for a name."""
    value = 0
    for byte in name.lower().encode():
        value = (value * 131 + byte + 1) & KEY_BITS
    return value


@inlined
def lower(byte):
    return byte + 32 if 65 <= byte <= 90 else byte


@inlined
def add_exactly(value, byte):
    """Return the key of a text with one more byte."""
    return (value * 131 + byte + 1) & KEY_BITS


@inlined
def add_to_key(value, byte):
    """Return the key of a name with one more byte, folded to lower case."""
    return (value * 131 + lower(byte) + 1) & KEY_BITS


def keys(names: str) -> np.ndarray:
    """Return the sorted keys of names."""
    return np.array(sorted(key(name) for name in names.split()), np.int64)


def keyed(values: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted keys of names, and the value of each."""
    pairs = np.array(sorted((key(name), value) for name, value in values.items()), np.int64)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


@borrowing
def index(keys, key):
    """Return the index of `key` in sorted `keys`, or -1."""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.shape[0] and keys[low] == key else -1


# The size of each unit in 1/1000 px, in a window of 800 px.
_UNITS = {
    "px": 1000, "pt": 1333, "pc": 16000, "in": 96000, "cm": 37795, "mm": 3780, "q": 945, "rem": 16000, "rlh": 19000,
    **{size + side: 8000 for size in ("", "s", "l", "d") for side in "vw vh vi vb vmin vmax".split()},
}  # fmt: skip
_ABSOLUTE_KEYS, _ABSOLUTE_SIZES = keyed(_UNITS)
_ANGLE_KEYS, _ANGLE_SIZES = keyed({"deg": 1000, "grad": 900, "turn": 360_000, "rad": 57_296})
_EMS, _HALF_EM = keys("em ex ch lh cap ic"), keys("ex ch")


@inlined
def is_digit(byte):
    return 48 <= byte <= 57


@inlined
def hex_digit(byte):
    """Return the value of a hexadecimal digit, or -1."""
    value = -1
    if 48 <= byte <= 57:
        value = byte - 48
    elif 97 <= (byte | 32) <= 102:
        value = (byte | 32) - 87
    return value


@inlined
def is_blank(byte):
    """Return whether a byte is white space in CSS and HTML, which a vertical tab is not."""
    return byte == 32 or byte == 9 or byte == 10 or byte == 12 or byte == 13


@borrowing
def skip_blank(css, i, end):
    """Return the index after white space and comments."""
    while i < end:
        if is_blank(css[i]):
            i += 1
        elif css[i] == 47 and i + 1 < end and css[i + 1] == 42:
            i += 2
            while i < end and not (css[i - 1] == 42 and css[i] == 47 and css[i - 2] != 47):
                i += 1
            i = min(i + 1, end)
        else:
            break
    return i


@borrowing
def read_escape(css, i, end):
    """Return (the byte at `i`, or the character that it escapes, index after it)."""
    byte = int(css[i])
    i += 1
    if byte != 92 or i >= end:
        return byte, i
    point, digits = 0, 0
    while i < end and digits < 6 and hex_digit(int(css[i])) >= 0:
        point = point * 16 + hex_digit(int(css[i]))
        digits += 1
        i += 1
    if digits == 0:
        return int(css[i]), i + 1
    if i < end and is_blank(css[i]):
        i += 1
    return point if point < 128 else _NO_BYTE, i


@borrowing
def read_name(css, i, end):
    """Return (key of the name at `i`, or 0 if there is none, index after it)."""
    value = 0
    while i < end:
        byte = int(css[i])
        if byte == 92 and i + 1 < end:
            byte, i = read_escape(css, i, end)
            value = add_to_key(value, byte)
        elif 97 <= (byte | 32) <= 122 or is_digit(byte) or byte == 45 or byte == 95 or byte >= 128:
            value = add_to_key(value, byte)
            i += 1
        else:
            break
    return value, i


@borrowing
def _with_exponent(css, i, end, value):
    """Return (a value times the power of ten at `i`, as in ``1e-3px``, index after it), or `value` and `i`."""
    first = i + 1 + int(i + 1 < end and (css[i + 1] == 43 or css[i + 1] == 45))
    if first >= end or (css[i] | 32) != 101 or not is_digit(css[first]):
        return value, i
    exponent, i = 0, first
    while i < end and is_digit(css[i]):
        exponent = min(exponent * 10 + int(css[i]) - 48, 20)
        i += 1
    for _ in range(exponent):
        value = value // 10 if css[first - 1] == 45 else min(value * 10, _MOST * UNIT)
    return value, i


@borrowing
def read_number(css, i, end):
    """Return (kind, value, index after it) of the number at `i`; if none, the kind is NOTHING, and the index `i`."""
    start = i
    sign = 1
    if i < end and (css[i] == 43 or css[i] == 45):
        sign = -1 if css[i] == 45 else 1
        i += 1
    value, digits = 0, 0
    while i < end and is_digit(css[i]):
        value = min(value * 10 + int(css[i]) - 48, _MOST)
        digits += 1
        i += 1
    value *= UNIT
    if i + 1 < end and css[i] == 46 and is_digit(css[i + 1]):
        i += 1
        scale = UNIT // 10
        while i < end and is_digit(css[i]):
            value += scale * (int(css[i]) - 48)
            scale //= 10
            digits += 1
            i += 1
    if digits == 0:
        return NOTHING, 0, start
    value, i = _with_exponent(css, i, end, value)
    value *= sign
    if i < end and css[i] == 37:
        return PERCENT, value // 100, i + 1
    unit, i = read_name(css, i, end)
    if unit == 0:
        return NUMBER, value, i
    at = index(_ABSOLUTE_KEYS, unit)
    if at >= 0:
        return PIXELS, value * _ABSOLUTE_SIZES[at] // UNIT, i
    at = index(_ANGLE_KEYS, unit)
    if at >= 0:
        return ANGLE, value * _ANGLE_SIZES[at] // UNIT, i
    if index(_HALF_EM, unit) >= 0:
        value //= 2
    return EM if index(_EMS, unit) >= 0 else OTHER, value, i


@inlined
def in_pixels(kind, value):
    """Return a length in 1/1000 px, assuming a font size of 16 px and a percentage of 800 px."""
    return value * (_EM_PX if kind == EM else _WINDOW_PX if kind == PERCENT else 1)
