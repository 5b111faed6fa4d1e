"""The CSS tokens that decide what is visible: names, lengths and colours (compiled).

Lengths are in 1/1000 px, plain numbers in 1/1000. Names are read as 62-bit keys of their lower case, with backslash
escapes decoded. Source: W3C, CSS Syntax Module Level 3 and CSS Color Module Level 4.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.html_characters import index, is_space, lower
from stream_nb.kernels.jit import borrowing, inlined, kernel

UNIT = 1000
NOTHING, NUMBER, PIXELS, FACTOR = range(4)
TRANSPARENT, PICTURE = -1, -2
_EM = 16
_MOST = 10_000_000
_KEY_BITS = (1 << 62) - 1


def key(name: str) -> int:
    """Return the key that `read_name` returns for a name."""
    value = 0
    for byte in name.lower().encode():
        value = (value * 131 + byte + 1) & _KEY_BITS
    return value


@inlined
def add_to_key(value, byte):
    """Return the key of a name with one more byte, folded to lower case."""
    return (value * 131 + lower(byte) + 1) & _KEY_BITS


def keys(names: str) -> np.ndarray:
    """Return the sorted keys of names."""
    return np.array(sorted(key(name) for name in names.split()), np.int64)


# The size of each unit in 1/1000 px; for relative units, that in a window of 800 px.
_UNITS = {"px": 1000, "pt": 1333, "pc": 16000, "in": 96000, "cm": 37795, "mm": 3780, "q": 945, "vw": 8000, "vh": 8000}
_ABSOLUTE = np.array(sorted((key(name), size) for name, size in _UNITS.items()), np.int64)
_ABSOLUTE_KEYS, _ABSOLUTE_SIZES = np.ascontiguousarray(_ABSOLUTE[:, 0]), np.ascontiguousarray(_ABSOLUTE[:, 1])
_HALF_EM = keys("ex ch")
_FUNCTIONS = keys("calc max min clamp")
_TRANSPARENT, _RGB, _HSL, _IMAGES = key("transparent"), keys("rgb rgba"), keys("hsl hsla"), keys("url image-set")
# Colours that many mails use, and those near white; any other name is a colour that is only known by its name.
_NAMES = {
    "white": 0xFFFFFF, "black": 0x000000, "silver": 0xC0C0C0, "gray": 0x808080, "grey": 0x808080, "red": 0xFF0000,
    "maroon": 0x800000, "green": 0x008000, "lime": 0x00FF00, "blue": 0x0000FF, "navy": 0x000080, "yellow": 0xFFFF00,
    "snow": 0xFFFAFA, "ivory": 0xFFFFF0, "azure": 0xF0FFFF, "ghostwhite": 0xF8F8FF, "whitesmoke": 0xF5F5F5,
    "floralwhite": 0xFFFAF0, "mintcream": 0xF5FFFA, "honeydew": 0xF0FFF0, "aliceblue": 0xF0F8FF, "seashell": 0xFFF5EE,
}  # fmt: skip
_NAMED = np.array(sorted((key(name), colour) for name, colour in _NAMES.items()), np.int64)
_NAMED_KEYS, _NAMED_COLOURS = np.ascontiguousarray(_NAMED[:, 0]), np.ascontiguousarray(_NAMED[:, 1])
_OTHER_NAME = 1 << 24


@inlined
def _is_digit(byte):
    return 48 <= byte <= 57


@inlined
def _hex(byte):
    """Return the value of a hexadecimal digit, or -1."""
    value = -1
    if 48 <= byte <= 57:
        value = byte - 48
    elif 97 <= (byte | 32) <= 102:
        value = (byte | 32) - 87
    return value


@borrowing
def skip_blank(css, i, end):
    """Return the index after white space and comments."""
    while i < end:
        if is_space(css[i]):
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
def read_name(css, i, end):
    """Return (key of the name at `i`, or 0 if there is none, index after it)."""
    value = 0
    while i < end:
        byte = int(css[i])
        if byte == 92 and i + 1 < end:
            i += 1
            point, digits = 0, 0
            while i < end and digits < 6 and _hex(int(css[i])) >= 0:
                point = point * 16 + _hex(int(css[i]))
                digits += 1
                i += 1
            if digits == 0:
                point = int(css[i])
                i += 1
            elif i < end and is_space(css[i]):
                i += 1
            value = add_to_key(value, point & 0xFF)
        elif 97 <= (byte | 32) <= 122 or _is_digit(byte) or byte == 45 or byte == 95 or byte >= 128:
            value = add_to_key(value, byte)
            i += 1
        else:
            break
    return value, i


@borrowing
def _with_exponent(css, i, end, value):
    """Return (a value times the power of ten at `i`, as in ``1e-3px``, index after it), or `value` and `i`."""
    first = i + 1 + int(i + 1 < end and (css[i + 1] == 43 or css[i + 1] == 45))
    if first >= end or (css[i] | 32) != 101 or not _is_digit(css[first]):
        return value, i
    exponent, i = 0, first
    while i < end and _is_digit(css[i]):
        exponent = min(exponent * 10 + int(css[i]) - 48, 20)
        i += 1
    for _ in range(exponent):
        value = value // 10 if css[first - 1] == 45 else min(value * 10, _MOST * UNIT)
    return value, i


@borrowing
def read_number(css, i, end):
    """Return (kind, value, index after it) of the number at `i`; if there is none, the kind is NOTHING, the index `i`.

    Other kinds are NUMBER, PIXELS, and FACTOR for a length relative to the font size, or a percentage.
    """
    start = i
    sign = 1
    if i < end and (css[i] == 43 or css[i] == 45):
        sign = -1 if css[i] == 45 else 1
        i += 1
    value, digits = 0, 0
    while i < end and _is_digit(css[i]):
        value = min(value * 10 + int(css[i]) - 48, _MOST)
        digits += 1
        i += 1
    value *= UNIT
    if i + 1 < end and css[i] == 46 and _is_digit(css[i + 1]):
        i += 1
        scale = UNIT // 10
        while i < end and _is_digit(css[i]):
            value += scale * (int(css[i]) - 48)
            scale //= 10
            digits += 1
            i += 1
    if digits == 0:
        return NOTHING, 0, start
    value, i = _with_exponent(css, i, end, value)
    value *= sign
    if i < end and css[i] == 37:
        return FACTOR, value // 100, i + 1
    unit, i = read_name(css, i, end)
    if unit == 0:
        return NUMBER, value, i
    at = index(_ABSOLUTE_KEYS, unit)
    if at >= 0:
        return PIXELS, value * _ABSOLUTE_SIZES[at] // UNIT, i
    if index(_HALF_EM, unit) >= 0:
        value //= 2
    return FACTOR, value, i


@borrowing
def read_length(css, i, end):
    """Like `read_number`; of a function such as calc(), its first number."""
    kind, value, after = read_number(css, i, end)
    if kind == NOTHING:
        name, after = read_name(css, i, end)
        if after < end and css[after] == 40 and index(_FUNCTIONS, name) >= 0:
            kind, value, after = read_number(css, skip_blank(css, after + 1, end), end)
    return kind, value, after


@inlined
def in_pixels(kind, value):
    """Return a length in 1/1000 px, assuming a font size of 16 px."""
    return value * _EM if kind == FACTOR else value


@borrowing
def read_colour(css, i, end):
    """Return (whether there is a colour at `i`, the colour, index after it); TRANSPARENT and PICTURE are negative."""
    if i < end and css[i] == 35:
        return _read_hex(css, i + 1, end)
    name, after = read_name(css, i, end)
    if name == 0:
        return False, 0, i
    if after < end and css[after] == 40:
        if index(_RGB, name) >= 0 or index(_HSL, name) >= 0:
            return _read_channels(css, after + 1, end, index(_HSL, name) >= 0)
        return index(_IMAGES, name) >= 0, PICTURE, after
    if name == _TRANSPARENT:
        return True, TRANSPARENT, after
    at = index(_NAMED_KEYS, name)
    return True, _NAMED_COLOURS[at] if at >= 0 else _OTHER_NAME | (name & 0xFFFFFF), after


@borrowing
def _read_hex(css, i, end):
    value, digits = 0, 0
    while i < end and digits < 8 and _hex(int(css[i])) >= 0:
        value = value * 16 + _hex(int(css[i]))
        digits += 1
        i += 1
    if digits == 3 or digits == 4:
        wide = 0
        for k in range(digits):
            wide = wide * 256 + 17 * ((value >> (4 * (digits - 1 - k))) & 15)
        value, digits = wide, 2 * digits
    if digits == 8:
        return True, TRANSPARENT if value & 0xFF < 26 else value >> 8, i
    return digits == 6, value, i


@kernel
def _read_channels(css, i, end, polar):
    """Return the colour with these three or four channels; of hsl(), only the lightness is used."""
    kinds, values = np.zeros(4, np.int64), np.zeros(4, np.int64)
    n = 0
    while i < end and css[i] != 41 and n < 4:
        kind, value, after = read_number(css, i, end)
        if kind == NOTHING:
            i += 1
            continue
        kinds[n], values[n] = kind, value
        n += 1
        i = after
    if n < 3:
        return False, 0, i
    if n == 4 and values[3] < UNIT // 10:
        return True, TRANSPARENT, i
    colour = 0
    for k in range(3):
        at = 2 if polar else k
        level = values[at] * 255 if kinds[at] == FACTOR else values[at]
        colour = colour * 256 + min(max(level // UNIT, 0), 255)
    return True, colour, i
