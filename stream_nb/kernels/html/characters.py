"""Characters of HTML (compiled): classes of bytes, character references, and UTF-8 output."""

# pyright: basic

from html.entities import html5

import numpy as np

from stream_nb.kernels.css.syntax import KEY_BITS, add_exactly, index
from stream_nb.kernels.jit import borrowing, inlined

_LONGEST_NAME, _LONGEST_OPEN_NAME = 31, 6


def _keyed(points: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted keys of names as `add_exactly` makes them, and the code point of each."""
    pairs: list[tuple[int, int]] = []
    for name, point in points.items():
        value = 0
        for byte in name.encode():
            value = (value * 131 + byte + 1) & KEY_BITS
        pairs.append((value, point))
    table = np.array(sorted(pairs), np.int64)
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])


_NAMES, _POINTS = _keyed({name[:-1]: ord(text) for name, text in html5.items() if name[-1] == ";" and len(text) == 1})
_OPEN_NAMES, _OPEN_POINTS = _keyed({name: ord(text) for name, text in html5.items() if name[-1] != ";"})
"""The names of characters, and those that need no semicolon."""
_WINDOWS_1252 = np.array([ord(c) for c in bytes(range(128, 160)).decode("cp1252", "replace")], dtype=np.int64)

RIGHT_TO_LEFT, POP_DIRECTION = 0x202E, 0x202C
"""Unicode's right-to-left override, and what ends it."""


@inlined
def _is_alnum(byte):
    return 97 <= (byte | 32) <= 122 or 48 <= byte <= 57


@inlined
def _is_space(point):
    """Return whether a character is blank: a space of any width, a line separator, or a filler."""
    general = 0x2000 <= point <= 0x200A or point == 0x2028 or point == 0x2029 or point == 0x202F or point == 0x205F
    other = point == 0xA0 or point == 0x1680 or point == 0x2800 or point == 0x3000 or point == 0x3164 or point == 0xFFA0
    return general or other


@inlined
def _is_unseen(point):
    """Return whether a character is never visible (Unicode, Default_Ignorable_Code_Point; those of mail), or a line or
    a frame that adorns the character before it."""
    general = 0x200B <= point <= 0x200F or 0x202A <= point <= 0x202E or 0x2060 <= point <= 0x206F
    low = point == 0xAD or point == 0x34F or point == 0x61C or point == 0x115F or point == 0x1160
    low |= point == 0x305 or 0x332 <= point <= 0x33F or point == 0x488 or point == 0x489 or 0x20DD <= point <= 0x20F0
    selector = 0x180B <= point <= 0x180F or 0xFE00 <= point <= 0xFE0F or 0xE0000 <= point <= 0xE0FFF
    return general or low or selector or point == 0xFEFF


@borrowing
def write_character(out, n, point):
    """Append a character as UTF-8; return the new length. Special spaces become a space; invisible characters are
    skipped."""
    if _is_space(point):
        point = 32
    elif _is_unseen(point):
        return n
    elif point == 0 or point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        point = 0xFFFD
    if point < 0x80:
        out[n] = point
        return n + 1
    if point < 0x800:
        out[n] = 0xC0 | (point >> 6)
        out[n + 1] = 0x80 | (point & 0x3F)
        return n + 2
    if point < 0x10000:
        out[n] = 0xE0 | (point >> 12)
        out[n + 1] = 0x80 | ((point >> 6) & 0x3F)
        out[n + 2] = 0x80 | (point & 0x3F)
        return n + 3
    out[n] = 0xF0 | (point >> 18)
    out[n + 1] = 0x80 | ((point >> 12) & 0x3F)
    out[n + 2] = 0x80 | ((point >> 6) & 0x3F)
    out[n + 3] = 0x80 | (point & 0x3F)
    return n + 4


@borrowing
def reverse(out, first, end):
    """Reverse the UTF-8 characters of out[first:end]; a negative `first` means none."""
    if first < 0:
        return
    for k in range((end - first) >> 1):
        out[first + k], out[end - 1 - k] = out[end - 1 - k], out[first + k]
    k = first
    while k < end:
        last = k
        while last + 1 < end and 0x80 <= out[last] < 0xC0:  # up to the first byte of the character
            last += 1
        for j in range((last + 1 - k) >> 1):
            out[k + j], out[last - j] = out[last - j], out[k + j]
        k = last + 1


@borrowing
def character(data, i, end, in_attribute):
    """Decode the character reference at `i`, an ampersand. Returns (code point or -1, index after it).

    As in browsers, old names need no semicolon: in text even before a letter, so that ``&nbspx`` is a space and an x.
    """
    j = i + 1
    point = 0
    if j < end and data[j] == 35:
        j += 1
        base = 10
        if j < end and (data[j] | 32) == 120:
            base = 16
            j += 1
        first = j
        while j < end:
            byte = int(data[j])
            if 48 <= byte <= 57:
                digit = byte - 48
            elif base == 16 and 97 <= (byte | 32) <= 102:
                digit = (byte | 32) - 87
            else:
                break
            point = min(point * base + digit, 0x110000)
            j += 1
        if j == first:
            return -1, i + 1
        if 128 <= point <= 159:
            point = int(_WINDOWS_1252[point - 128])
        return point, j + int(j < end and data[j] == 59)
    name = 0
    while j < end and j - i <= _LONGEST_NAME and _is_alnum(data[j]):
        name = add_exactly(name, int(data[j]))
        j += 1
    at = index(_NAMES, name) if j < end and data[j] == 59 else -1
    if at >= 0:
        return int(_POINTS[at]), j + 1
    name, point, after = 0, -1, i + 1
    for k in range(i + 1, min(j, i + 1 + _LONGEST_OPEN_NAME)):
        name = add_exactly(name, int(data[k]))
        at = index(_OPEN_NAMES, name)
        if at >= 0:
            point, after = int(_OPEN_POINTS[at]), k + 1
    if in_attribute and after < end and (data[after] == 61 or _is_alnum(data[after])):
        return -1, i + 1
    return point, after
