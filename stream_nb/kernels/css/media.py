"""Whether a media query applies to a screen of 800 x 600 px (compiled). Source: W3C, Media Queries Level 4."""

# pyright: basic

from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.syntax import NOTHING, UNIT, index, key, keyed, keys, read_name, skip_blank
from stream_nb.kernels.jit import kernel

_SIDES = {"width": 800 * UNIT, "height": 600 * UNIT, "device-width": 800 * UNIT, "device-height": 600 * UNIT}
_SIZES, _PIXELS = keyed({bound + side: size for side, size in _SIDES.items() for bound in ("", "min-", "max-")})
_LEAST, _MOST = keys(" ".join(f"min-{side}" for side in _SIDES)), keys(" ".join(f"max-{side}" for side in _SIDES))
_NOT, _OR = key("not"), key("or")
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
    at = index(_SIZES, name)
    if kind != NOTHING and at >= 0:
        at_least = index(_LEAST, name) >= 0 or sign == 62
        at_most = index(_MOST, name) >= 0 or sign == 60
        fits = value < _PIXELS[at] if at_least else value > _PIXELS[at] if at_most else False
        fits = fits or (value == _PIXELS[at] and (equal or sign == 58))
    elif sign == 58:
        word, _ = read_name(css, i, end)
        fits = (name == _ORIENTATION and word == _LANDSCAPE) or (name == _SCHEME and word == _LIGHT)
    while i < end and css[i] != 41:
        i += 1
    return fits, min(i + 1, end)
