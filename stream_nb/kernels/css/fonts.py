"""CSS font sizes, also in the shorthand `font` (compiled). Source: W3C, CSS Fonts Module Level 4."""

# pyright: basic

from stream_nb.kernels.css.blocks import skip_string
from stream_nb.kernels.css.boxes import is_length
from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.properties import MEDIUM, OF_LETTERS
from stream_nb.kernels.css.syntax import (
    EM,
    NOTHING,
    NUMBER,
    OTHER,
    PERCENT,
    UNIT,
    index,
    key,
    keys,
    read_name,
    skip_blank,
)
from stream_nb.kernels.jit import borrowing

_SIZES = keys("xx-small x-small small medium large x-large xx-large xxx-large")
_RELATIVE_SIZES = keys("larger smaller math")
_SYSTEM_FONTS = keys("caption icon menu message-box small-caption status-bar")
_FONT_WORDS = keys(
    "normal italic oblique small-caps bold bolder lighter condensed expanded semi-condensed semi-expanded"
    " extra-condensed extra-expanded ultra-condensed ultra-expanded"
)
_NORMAL = key("normal")


@borrowing
def read_size(css, i, end):
    """Read a font size in 1/1000 px, or, if negative, as a factor of the parent's."""
    kind, value, after = read_length(css, i, end)
    if kind == NOTHING:
        word, after = read_name(css, i, end)
        if index(_RELATIVE_SIZES, word) >= 0:
            return True, -UNIT, after
        return index(_SIZES, word) >= 0, MEDIUM, after
    if not is_length(kind, value):
        return False, 0, after
    return value >= 0, -value if kind == EM or kind == PERCENT else value, after


@borrowing
def read_spacing(css, i, end):
    """Read the space between letters in 1/1000 px, or, above OF_LETTERS / 2, as a factor of their size."""
    kind, value, after = read_length(css, i, end)
    if kind == NOTHING:
        word, after = read_name(css, i, end)
        return word == _NORMAL, 0, after
    return is_length(kind, value), value + OF_LETTERS * int(kind == EM or kind == PERCENT), after


@borrowing
def read_font(css, i, end):
    """Read the size in the shorthand `font`: style and weight, size, perhaps ``/`` and the line height, families."""
    word, after = read_name(css, i, end)
    if index(_SYSTEM_FONTS, word) >= 0:
        return True, MEDIUM, after
    while True:
        kind, weight, after = read_length(css, i, end)
        if kind == NUMBER and weight != 0 and UNIT <= weight <= 1000 * UNIT:
            i = skip_blank(css, after, end)
            continue
        word, after = read_name(css, i, end)
        if kind != NOTHING or index(_FONT_WORDS, word) < 0:
            break
        i = skip_blank(css, after, end)
    valid, value, i = read_size(css, i, end)
    i = skip_blank(css, i, end)
    if i < end and css[i] == 47:
        i = skip_blank(css, i + 1, end)
        kind, height, after = read_length(css, i, end)
        if kind == NOTHING:
            word, after = read_name(css, i, end)
            valid = valid and word == _NORMAL
        valid = valid and kind != OTHER and height >= 0
        i = skip_blank(css, after, end)
    return valid and _are_families(css, i, end), value, end


@borrowing
def _are_families(css, i, end):
    """Return whether this is a list of font families: names, which may have several words, or strings."""
    while True:
        i = skip_blank(css, i, end)
        if i < end and (css[i] == 34 or css[i] == 39):
            i = skip_string(css, i, end)
        else:
            words = 0
            while True:
                word, after = read_name(css, i, end)
                if word == 0:
                    break
                words += 1
                i = skip_blank(css, after, end)
            if words == 0:
                return False
        i = skip_blank(css, i, end)
        if i >= end:
            return True
        if css[i] != 44:
            return False
        i += 1
