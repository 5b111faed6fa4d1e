"""The size, the spacing and the shadow of letters in CSS, also in the shorthand `font` (compiled).

Sources: W3C, CSS Fonts Module Level 4, and CSS Text Decoration Module Level 3.
"""

# pyright: basic

from stream_nb.kernels.css.blocks import skip_string
from stream_nb.kernels.css.boxes import FAR, is_length
from stream_nb.kernels.css.colours import TRANSPARENT, read_colour
from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.properties import MEDIUM, NORMAL_LINE, OF_LETTERS, SMALLER
from stream_nb.kernels.css.syntax import (
    ANGLE,
    EM,
    NOTHING,
    NUMBER,
    PERCENT,
    UNIT,
    in_pixels,
    index,
    key,
    keyed,
    keys,
    read_name,
    skip_blank,
)
from stream_nb.kernels.jit import borrowing

_SIZES = keys("xx-small x-small small medium large x-large xx-large xxx-large")
_RELATIVE_SIZES, _FACTORS = keyed({"larger": 1200, "smaller": SMALLER, "math": 1000})
_SYSTEM_FONTS = keys("caption icon menu message-box small-caption status-bar")
_FONT_WORDS = keys(
    "normal italic oblique small-caps bold bolder lighter condensed expanded semi-condensed semi-expanded"
    " extra-condensed extra-expanded ultra-condensed ultra-expanded"
)
_NONE, _NORMAL, _BROAD = key("none"), key("normal"), 3 * UNIT


@borrowing
def read_size(css, i, end):
    """Read a font size in 1/1000 px, or, if negative, as a factor of the parent's."""
    kind, value, after = read_length(css, i, end)
    if kind == NOTHING:
        word, after = read_name(css, i, end)
        at = index(_RELATIVE_SIZES, word)
        if at >= 0:
            return True, -_FACTORS[at], after
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
def read_line_height(css, i, end):
    """Read the height of a line in 1/1000 px; above OF_LETTERS / 2, as a factor of the size of letters; or, if
    negative, of those of the element that declares it."""
    kind, value, after = read_length(css, i, end)
    if kind == NOTHING:
        word, after = read_name(css, i, end)
        return word == _NORMAL, NORMAL_LINE, after
    if kind == NUMBER:
        return value >= 0, OF_LETTERS + value, after
    return kind < ANGLE and value >= 0, -value if kind == EM or kind == PERCENT else value, after


@borrowing
def read_font(css, i, end):
    """Read the shorthand `font`: style and weight, size, perhaps ``/`` and the line height, families. Return (whether
    it is valid, the size, the line height, index after it)."""
    word, after = read_name(css, i, end)
    if index(_SYSTEM_FONTS, word) >= 0:
        return True, MEDIUM, NORMAL_LINE, after
    while True:
        kind, weight, after = read_length(css, i, end)
        if kind == NUMBER and weight != 0 and UNIT <= weight <= 1000 * UNIT:
            i = skip_blank(css, after, end)
            continue
        word, after = read_name(css, i, end)
        if kind != NOTHING or index(_FONT_WORDS, word) < 0:
            break
        i = skip_blank(css, after, end)
    valid, size, i = read_size(css, i, end)
    i = skip_blank(css, i, end)
    height = NORMAL_LINE
    if i < end and css[i] == 47:
        known, height, after = read_line_height(css, skip_blank(css, i + 1, end), end)
        valid = valid and known
        i = skip_blank(css, after, end)
    return valid and _are_families(css, i, end), size, height, end


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


@borrowing
def read_shadow(css, i, end):
    """Read the colour of the first shadow of letters, or TRANSPARENT if it is far away or blurred."""
    word, after = read_name(css, i, end)
    if word == _NONE:
        return True, TRANSPARENT, after
    found, lost, shadows, lengths, colours = TRANSPARENT, False, 0, 0, 0
    while i < end:
        kind, size, after = read_length(css, i, end)
        if css[i] == 44:
            if lengths < 2:
                return False, 0, i
            shadows, lengths, colours, after = shadows + 1, 0, 0, i + 1
        elif kind != NOTHING:
            if not is_length(kind, size) or kind == PERCENT:
                return False, 0, i
            lengths += 1
            lost = lost or (shadows == 0 and abs(in_pixels(kind, size)) > (_BROAD if lengths == 3 else FAR))
        else:
            known, colour, after = read_colour(css, i, end)
            if not known or colours > 0:
                return False, 0, i
            found, colours = colour if shadows == 0 else found, 1
        i = skip_blank(css, after, end)
    return 2 <= lengths <= 3, TRANSPARENT if lost else found, i
