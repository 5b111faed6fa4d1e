"""CSS declarations -> the properties that decide whether text is visible (compiled).

`values` and `ranks` (int64[STYLE_PROPERTIES]) hold the value of each property, and the rank of its declaration (-1: not
declared). A later declaration of the same or a higher rank replaces it. Lengths are in 1/1000 px. Source: W3C, CSS
Cascading and Inheritance Level 4.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css_syntax import (
    FACTOR,
    NOTHING,
    NUMBER,
    PICTURE,
    TRANSPARENT,
    UNIT,
    in_pixels,
    key,
    keys,
    read_colour,
    read_length,
    read_name,
    skip_blank,
)
from stream_nb.kernels.html_characters import index, is_space
from stream_nb.kernels.jit import borrowing
from stream_nb.kernels.style_layout import STYLE_PROPERTIES

_NAMES = (
    "display visibility opacity font-size color background position left right top bottom margin text-indent height"
    " max-height width max-width overflow clip transform"
).split()
(
    DISPLAY, VISIBILITY, OPACITY, SIZE, COLOUR, BACKGROUND, POSITION, LEFT, RIGHT, TOP, BOTTOM, MARGIN, INDENT, HEIGHT,
    MAX_HEIGHT, WIDTH, MAX_WIDTH, OVERFLOW, CLIP, TRANSFORM,
) = range(len(_NAMES))  # fmt: skip
IMPORTANT = 1 << 60
FAR = 400 * UNIT
"""Text that is moved so far is out of sight."""

_ALIASES = {
    "font": SIZE, "background-color": BACKGROUND, "background-image": BACKGROUND, "margin-left": MARGIN,
    "margin-top": MARGIN, "overflow-x": OVERFLOW, "overflow-y": OVERFLOW, "-webkit-text-fill-color": COLOUR,
    "clip-path": CLIP, "-webkit-transform": TRANSFORM,
}  # fmt: skip
_PROPERTIES = np.array(
    sorted(
        (key(name), place) for name, place in [*zip(_NAMES, range(STYLE_PROPERTIES), strict=True), *_ALIASES.items()]
    ),
    np.int64,
)
_KEYS, _PLACES = np.ascontiguousarray(_PROPERTIES[:, 0]), np.ascontiguousarray(_PROPERTIES[:, 1])
_FONT, _IMPORTANT = key("font"), key("important")
_NOT_SHOWN, _UNSEEN = keys("none"), keys("hidden collapse")
_AS_PARENT = keys("inherit currentcolor unset larger smaller")
_NO_COLOURS = keys(
    "none no-repeat repeat repeat-x repeat-y center top left right bottom scroll fixed local cover contain auto initial"
    " inherit unset important"
)
_MOVED = keys("absolute fixed relative sticky")
_VISIBLE = key("visible")
_CUTS, _INSET = keys("rect inset circle ellipse polygon"), key("inset")
_SCALES = keys("scale scalex scaley scale3d")
_MEDIUM = 16 * UNIT
AUTO = 1 << 40
"""A size of ``auto`` or ``none``: large enough for the text."""


@borrowing
def read_declarations(css, i, end, rank, values, ranks):
    """Read declarations of this rank up to a closing brace or `end`; return the index of the brace, or `end`."""
    while i < end and css[i] != 125:
        i = skip_blank(css, i, end)
        name, i = read_name(css, i, end)
        i = skip_blank(css, i, end)
        is_pair = name != 0 and i < end and css[i] == 58
        first = skip_blank(css, i + 1, end) if is_pair else i
        i, important = _end_of_value(css, first, end)
        if is_pair:
            at = index(_KEYS, name)
            if at >= 0:
                own = rank + IMPORTANT if important else rank
                place = _PLACES[at]
                if own >= ranks[place]:
                    known, value = _read_value(css, first, i, place, name)
                    if known:
                        values[place], ranks[place] = value, own
        if i < end and css[i] == 59:
            i += 1
    return i


@borrowing
def _end_of_value(css, i, end):
    """Return (index of the semicolon or brace that ends a value, whether it has !important)."""
    depth, quote = 0, 0
    important = False
    while i < end:
        byte = int(css[i])
        if byte == 92:
            i += 1
        elif quote != 0:
            quote = 0 if byte == quote or byte == 10 else quote
        elif byte == 34 or byte == 39:
            quote = byte
        elif byte == 40:
            depth += 1
        elif byte == 41:
            depth = max(depth - 1, 0)
        elif byte == 125 or (byte == 59 and depth == 0):
            return i, important
        elif byte == 33:
            after = i + 1
            while after < end and is_space(css[after]):
                after += 1
            name, _ = read_name(css, after, end)
            important = important or name == _IMPORTANT
        i += 1
    return end, important


@borrowing
def _read_value(css, i, end, place, name):
    """Return (whether the value is understood, the value) of the property at `place`, declared as `name`."""
    if place == COLOUR:
        word, _ = read_name(css, i, end)
        if index(_AS_PARENT, word) >= 0:
            return False, 0
        known, colour, _ = read_colour(css, i, end)
        return known, colour
    if place == BACKGROUND:
        return _read_background(css, i, end)
    if place == SIZE:
        return _read_size(css, i, end, name == _FONT)
    if place == CLIP or place == TRANSFORM:
        return True, _cuts(css, i, end, place == TRANSFORM)
    if place == MARGIN:
        return True, _least(css, i, end)
    kind, value, after = read_length(css, i, end)
    if place == OPACITY:
        return kind != NOTHING, value
    if kind != NOTHING and HEIGHT <= place <= MAX_WIDTH:
        if css[after - 1] == 37:  # of the height around the element (see `html_style`), or of a window of 800 px
            return value >= 0, -1 - value if place <= MAX_HEIGHT else 800 * value
        return value >= 0, in_pixels(kind, value)
    if kind != NOTHING:
        return True, in_pixels(kind, value)
    word, _ = read_name(css, i, end)
    if word == 0 or index(_AS_PARENT, word) >= 0:
        return False, 0
    if place == DISPLAY:
        return True, index(_NOT_SHOWN, word) >= 0
    if place == VISIBILITY:
        return True, index(_UNSEEN, word) >= 0
    if place == POSITION:
        return True, index(_MOVED, word) >= 0
    if place == OVERFLOW:
        return True, word != _VISIBLE
    if LEFT <= place <= BOTTOM or place == INDENT:
        return True, 0
    return True, AUTO


@borrowing
def _read_background(css, i, end):
    """Read PICTURE if a background has one, else its colour; TRANSPARENT if it has neither."""
    found = TRANSPARENT
    while i < end:
        known, colour, after = read_colour(css, i, end)
        if known:
            word, _ = read_name(css, i, end)
            if colour == PICTURE:
                return True, colour
            if index(_NO_COLOURS, word) < 0:
                found = colour
        i = max(after, i + 1)
    return True, found


@borrowing
def _read_size(css, i, end, shorthand):
    """Read a font size in 1/1000 px, or, if negative, as a factor of the parent's; of the shorthand `font`, the first
    length."""
    while i < end:
        kind, value, after = read_length(css, i, end)
        if kind == NUMBER and shorthand and value != 0 and not (after < end and css[after] == 47):
            kind = NOTHING  # a font weight
        if kind != NOTHING:
            return value >= 0, -value if kind == FACTOR else value
        word, after = read_name(css, i, end)
        if not shorthand:
            return word != 0, -UNIT if index(_AS_PARENT, word) >= 0 else _MEDIUM
        i = max(after, i + 1)
    return False, 0


@borrowing
def _cuts(css, i, end, transform):
    """Return whether a clip or transform leaves nothing visible: all lengths are near 0, or one moves it far away."""
    word, i = read_name(css, i, end)
    if index(_SCALES if transform else _CUTS, word) < 0 and not transform:
        return 0
    least, most, n = 0, 0, 0
    half = False
    while i < end and css[i] != 41:
        kind, value, after = read_length(css, i, end)
        if kind != NOTHING:
            half = half or (kind == FACTOR and value >= UNIT // 2)
            least, most = min(least, in_pixels(kind, value)), max(most, in_pixels(kind, value))
            n += 1
        i = max(after, i + 1)
    if transform:
        return int(least <= -FAR or (n > 0 and most < UNIT // 10 and least == 0 and index(_SCALES, word) >= 0))
    if word == _INSET:
        return int(half)
    return int(n > 0 and most <= UNIT)


@borrowing
def _least(css, i, end):
    """Return the smallest of several lengths, at most 0."""
    least = 0
    while i < end:
        kind, value, after = read_length(css, i, end)
        if kind != NOTHING:
            least = min(least, in_pixels(kind, value))
        i = max(after, i + 1)
    return least
