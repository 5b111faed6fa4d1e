"""The values of the CSS properties that move, clip or scale a box (compiled).

Sources: W3C, CSS Box Model Module Level 3, CSS Masking Module Level 1, CSS Shapes Module Level 1, and CSS Transforms
Module Level 2.
"""

# pyright: basic

from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.properties import AUTO
from stream_nb.kernels.css.syntax import (
    ANGLE,
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

FAR, WIDEST = 400 * UNIT, 3000 * UNIT
"""Text that is moved so far to the left or up, or to the right, is out of sight."""
_NONE, _AUTO, _NORMAL, _RECT, _INSET, _URL = (key(name) for name in "none auto normal rect inset url".split())
_ROUND_SHAPES, _OTHER_SHAPES = keys("circle ellipse"), keys("polygon path shape xywh rect url")
_SHAPE_WORDS = keys("at center top left right bottom closest-side farthest-side evenodd nonzero round")
_BOXES = keys("border-box padding-box content-box margin-box fill-box stroke-box view-box")
_FUNCTIONS, _ARGUMENTS = keyed(
    {
        "scale": 2, "scalex": 1, "scaley": 1, "scalez": 1, "scale3d": 3, "translate": 2, "translatex": 1,
        "translatey": 1, "translatez": 1, "translate3d": 3, "matrix": 6, "matrix3d": 16, "rotate": 1, "rotatex": 1,
        "rotatey": 1, "rotatez": 1, "rotate3d": 4, "skew": 2, "skewx": 1, "skewy": 1, "perspective": 1,
    }
)  # fmt: skip
"""The functions of transforms, and how many arguments each has; one is enough for some."""
_ONE_IS_ENOUGH = keys("scale translate skew")
_SCALES = keys("scale scalex scaley scale3d scalez")
_MOVES, _DOWN = keys("translate translatex translatey translate3d translatez"), key("translatey")
_TURNS, _EDGEWISE, _NARROW = keys("rotatex rotatey"), 90 * UNIT, 6 * UNIT
"""Turns of a box that is seen from its edge at 90 degrees, and how near to that it is scaled to a tenth."""
_MATRICES, _MATRIX = keys("matrix matrix3d"), key("matrix")
LEAST_SCALE = UNIT // 10


@borrowing
def is_length(kind, value):
    """Return whether a number is a length or a percentage: without a unit, only 0 is."""
    return NOTHING < kind < ANGLE and (kind != NUMBER or value == 0)


@borrowing
def is_far(axis, kind, value):
    """Return whether a move along an axis, 0 to the right and 1 down, leaves nothing in sight."""
    way = in_pixels(kind, value)
    return axis < 2 and (way <= -FAR or (axis == 0 and way >= WIDEST))


@borrowing
def read_side(css, i, end, side, most, is_padding):
    """Read the length of a side, numbered from the top clockwise, in a list of at most `most` for the sides."""
    n, found = 0, 0
    while i < end and n < most:
        kind, value, after = read_length(css, i, end)
        if kind == NOTHING:
            word, after = read_name(css, i, end)
        valid = word == _AUTO if kind == NOTHING else is_length(kind, value)
        if not valid or (is_padding and (kind == NOTHING or value < 0)):
            return False, 0, i
        if n == 0 or n == side or (n == 1 and side == 3):
            found = AUTO if kind == NOTHING else in_pixels(kind, value)
        n += 1
        i = skip_blank(css, after, end)
    return n > 0, found, i


@borrowing
def read_clip(css, i, end):
    """Read whether the rectangle of `clip` leaves nothing: its edges are near each other, or before the box."""
    word, i = read_name(css, i, end)
    if word != _RECT or i >= end or css[i] != 40:
        return word == _AUTO, 0, i
    i = skip_blank(css, i + 1, end)
    n, width, height = 0, 0, 0
    while i < end and css[i] != 41:
        kind, value, after = read_length(css, i, end)
        edge = in_pixels(kind, value)
        if kind == NOTHING:
            word, after = read_name(css, i, end)
            if word != _AUTO:
                return False, 0, i
            edge = FAR if n == 1 or n == 2 else 0
        elif not is_length(kind, value) or kind == PERCENT:
            return False, 0, i
        if n == 0 or n == 2:
            height = edge - height if n == 2 else max(edge, 0)
        else:
            width = width - max(edge, 0) if n == 3 else edge
        n += 1
        i = skip_blank(css, after, end)
        if i < end and css[i] == 44 and n < 4:
            i = skip_blank(css, i + 1, end)
    return n == 4, int(min(width, height) <= UNIT), min(i + 1, end)


@borrowing
def read_shape(css, i, end):
    """Read whether a clip path leaves nothing: an inset of half of the box, a circle without radius, a point."""
    word, i = read_name(css, i, end)
    if i >= end or css[i] != 40:
        return word == _NONE or index(_BOXES, word) >= 0, 0, i
    round_shape = index(_ROUND_SHAPES, word) >= 0
    if not (round_shape or word == _INSET or index(_OTHER_SHAPES, word) >= 0):
        return False, 0, i
    if word == _URL:
        return True, 0, end
    i = skip_blank(css, i + 1, end)
    n, least, most, half, placed = 0, FAR, 0, False, False
    while i < end and css[i] != 41:
        kind, value, after = read_length(css, i, end)
        if kind == NOTHING:
            name, after = read_name(css, i, end)
            if index(_SHAPE_WORDS, name) < 0:
                return False, 0, i
            placed = True  # what follows is where the shape is, or how round its corners are
        elif not is_length(kind, value):
            return False, 0, i
        elif not placed:
            half = half or (kind == PERCENT and value >= UNIT // 2)
            least, most = min(least, in_pixels(kind, value)), max(most, in_pixels(kind, value))
            n += 1
        i = skip_blank(css, after, end)
        if i < end and css[i] == 44:
            i = skip_blank(css, i + 1, end)
    gone = half if word == _INSET else n > 0 and (least if round_shape else most) <= UNIT
    return True, int(gone), min(i + 1, end)


@borrowing
def read_factor(css, i, end, most):
    """Read the smallest of at most `most` factors by which a box is scaled; along the third axis only 0 counts."""
    word, after = read_name(css, i, end)
    if word == _NONE or word == _NORMAL:
        return (word == _NONE) == (most > 1), UNIT, after
    n, least = 0, UNIT
    while i < end and n < most:
        kind, value, after = read_length(css, i, end)
        if kind != NUMBER and kind != PERCENT:
            return False, 0, i
        if n < 2 or value == 0:
            least = min(least, abs(value))
        n += 1
        i = skip_blank(css, after, end)
    return n > 0, least, i


@borrowing
def read_way(css, i, end):
    """Read whether one to three lengths move a box far away."""
    word, after = read_name(css, i, end)
    if word == _NONE:
        return True, 0, after
    n, gone = 0, False
    while i < end and n < 3:
        kind, value, after = read_length(css, i, end)
        if not is_length(kind, value):
            return False, 0, i
        gone = gone or is_far(n, kind, value)
        n += 1
        i = skip_blank(css, after, end)
    return n > 0, int(gone), i


@borrowing
def read_transform(css, i, end):
    """Read whether a function of a transform scales a box to nothing, turns it on edge, or moves it far away."""
    word, after = read_name(css, i, end)
    if word == _NONE:
        return True, 0, after
    gone = False
    n = 0
    while i < end:
        word, i = read_name(css, i, end)
        valid, function_gone, i = _read_function(css, i, end, word)
        if not valid:
            return False, 0, i
        gone = gone or function_gone
        n += 1
        i = skip_blank(css, i, end)
    return n > 0, int(gone), i


@borrowing
def _read_function(css, i, end, word):
    """Return (whether a function of a transform is valid, whether it leaves nothing, index after it)."""
    scales, moves, matrix = index(_SCALES, word) >= 0, index(_MOVES, word) >= 0, index(_MATRICES, word) >= 0
    at = index(_FUNCTIONS, word)
    if i >= end or css[i] != 40 or at < 0:
        return False, False, i
    n, gone = 0, False
    while n == 0 or (i < end and css[i] == 44):
        i = skip_blank(css, i + 1, end)
        kind, value, after = read_length(css, i, end)
        if kind == NOTHING or (moves and not is_length(kind, value)) or (matrix and kind != NUMBER):
            return False, False, i
        if scales:
            if kind != NUMBER and kind != PERCENT:
                return False, False, i
            gone = gone or (n < 2 and abs(value) < LEAST_SCALE)
        elif index(_TURNS, word) >= 0:
            if kind != ANGLE and value != 0:
                return False, False, i
            gone = gone or abs(value % (2 * _EDGEWISE) - _EDGEWISE) < _NARROW
        elif moves:
            gone = gone or is_far(n + int(word == _DOWN), kind, value)
        elif word == _MATRIX:
            gone = (
                gone or ((n == 0 or n == 3) and abs(value) < LEAST_SCALE) or (n >= 4 and is_far(n - 4, NUMBER, value))
            )
        n += 1
        i = skip_blank(css, after, end)
    complete = n == _ARGUMENTS[at] or (n == 1 and index(_ONE_IS_ENOUGH, word) >= 0)
    return complete and (i >= end or css[i] == 41), gone, min(i + 1, end)
