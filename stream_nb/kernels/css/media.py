"""Whether a group of CSS rules applies: to a screen of 800 x 600 px, and to a browser that supports a declaration.

Sources: W3C, Media Queries Level 4, and CSS Conditional Rules Module Level 3.
"""

# pyright: basic

from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.syntax import NOTHING, UNIT, index, key, keys, read_name, skip_blank
from stream_nb.kernels.jit import kernel

_WINDOW = 800 * UNIT
_WIDTH, _MIN_WIDTH, _MAX_WIDTH, _NOT, _OR = (key(name) for name in "width min-width max-width not or".split())
_SCREENS, _JOINS = keys("all screen"), keys("only and")
_COLOR, _ORIENTATION, _LANDSCAPE = (key(name) for name in "color orientation landscape".split())
_SCHEME, _LIGHT = key("prefers-color-scheme"), key("light")


@kernel
def media_applies(css, i, end):
    """Return whether one of the queries in a media list matches; an empty list does."""
    applies, negated, either = True, False, False
    while i < end:
        byte = css[i]
        name, after = read_name(css, i, end)
        if byte == 44:
            if applies != negated:
                return True
            applies, negated, either = True, False, False
        elif byte == 40 or (name != 0 and name != _NOT and name != _OR and index(_JOINS, name) < 0):
            fits = index(_SCREENS, name) >= 0
            if byte == 40:
                fits, after = _feature(css, i + 1, end)
            applies = applies or fits if either else applies and fits
            either = False
        negated = negated != (name == _NOT)
        either = either or name == _OR
        i = max(after, i + 1)
    return applies != negated


@kernel
def _feature(css, i, end):
    """Return (whether the feature that begins at `i` fits, index after its parenthesis)."""
    name, i = read_name(css, skip_blank(css, i, end), end)
    i = skip_blank(css, i, end)
    sign, equal = 0, False
    while i < end and (css[i] == 58 or 60 <= css[i] <= 62):
        equal = equal or css[i] == 61
        sign = sign if css[i] == 61 and sign != 0 else int(css[i])
        i += 1
    i = skip_blank(css, i, end)
    kind, value, _ = read_length(css, i, end)
    fits = name == _COLOR and sign == 0
    if kind != NOTHING and (name == _WIDTH or name == _MIN_WIDTH or name == _MAX_WIDTH):
        at_least = name == _MIN_WIDTH or sign == 62
        at_most = name == _MAX_WIDTH or sign == 60
        fits = value < _WINDOW if at_least else value > _WINDOW if at_most else False
        fits = fits or (value == _WINDOW and (equal or sign == 58))
    elif sign == 58:
        word, _ = read_name(css, i, end)
        fits = (name == _ORIENTATION and word == _LANDSCAPE) or (name == _SCHEME and word == _LIGHT)
    while i < end and css[i] != 41:
        i += 1
    return fits, min(i + 1, end)


@kernel
def supports(css, i, end):
    """Return whether a condition of ``@supports`` holds, assuming that every declaration in it is supported."""
    holds = True
    while i < end:
        name, after = read_name(css, i, end)
        holds = holds != (name == _NOT)
        i = max(after, i + 1)
    return holds
