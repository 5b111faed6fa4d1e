"""The CSS values of backgrounds: colours, and gradients, which need not be loaded like pictures (compiled).

Sources: W3C, CSS Backgrounds and Borders Module Level 3, and CSS Images Module Level 3.
"""

# pyright: basic

from stream_nb.kernels.css.blocks import skip_block, skip_token
from stream_nb.kernels.css.boxes import is_length
from stream_nb.kernels.css.colours import CURRENT, OPAQUE, TRANSPARENT, least, most, read_colour
from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.properties import GRADIENT, MOVED, TEXT_ONLY
from stream_nb.kernels.css.syntax import NOTHING, PERCENT, UNIT, index, key, keys, read_name, skip_blank
from stream_nb.kernels.jit import borrowing

_WORDS = keys(
    "none repeat no-repeat repeat-x repeat-y space round center top left right bottom scroll fixed local cover contain"
    " auto border-box padding-box content-box text"
)
_PICTURES = keys("url image-set -webkit-image-set")
_GRADIENTS = keys(
    "linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient"
    " repeating-conic-gradient -webkit-linear-gradient -webkit-radial-gradient -webkit-gradient"
)
_TEXT, _SHORTHAND, _SIZE = key("text"), key("background"), key("background-size")
_ANY = 1 << 56
"""Set in the value of a gradient: its most red, green and blue, then its least opacity, red, green and blue."""
_RGB, _ARGB = 0xFFFFFF, 0xFFFFFFFF


@borrowing
def lightest_of(gradient):
    """Return the opaque colour that has the most red, green and blue of a gradient."""
    return OPAQUE | (gradient >> 32 & _RGB)


@borrowing
def darkest_of(gradient):
    """Return the colour that has the least opacity, red, green and blue of a gradient."""
    return gradient & _ARGB


@borrowing
def read_background(css, i, end, prop, name):
    """Read the property `prop` of a background, declared as `name`; in the shorthand only the last layer can have a
    colour."""
    is_shorthand, of_size = name == _SHORTHAND, name == _SIZE
    colour, coloured, gradient, moved, text_only = TRANSPARENT, False, 0, False, False
    parts, sized = 0, of_size  # parts of this layer, and whether its size comes
    while i < end:
        byte = int(css[i])
        kind, value, after = read_length(css, i, end)
        word, past = read_name(css, i, end)
        if byte == 44:
            if coloured or parts == 0:
                return False, 0, i
            parts, sized, after = -1, of_size, i + 1
        elif byte == 47:
            sized, after = True, i + 1
        elif kind != NOTHING:
            if (prop == GRADIENT and not is_shorthand) or not is_length(kind, value):
                return False, 0, i
            covers = kind == PERCENT and value == UNIT
            moved |= not (covers or (not sized and (value == 0 or (kind == PERCENT and value == UNIT // 2))))
        elif past < end and css[past] == 40 and index(_GRADIENTS, word) >= 0:
            own, after = _read_gradient(css, past, end)
            if darkest_of(gradient) < OPAQUE:  # else it covers this one
                gradient = own if gradient == 0 else _join(lightest_of(own), darkest_of(own), gradient)
        elif past < end and css[past] == 40 and index(_PICTURES, word) >= 0:
            after = skip_token(css, i, end)
            if after == past:
                after = skip_block(css, past, end)
        elif index(_WORDS, word) >= 0:
            text_only |= word == _TEXT
            after = past
        else:
            known, colour, after = read_colour(css, i, end)
            if not known or coloured or not is_shorthand:
                return False, 0, i
            coloured = True
        parts += 1
        i = skip_blank(css, after, end)
    if prop == MOVED:  # the size and the position share it: neither covers the box again
        return parts > 0 and (moved or is_shorthand), int(moved), i
    value = gradient if prop == GRADIENT else int(text_only) if prop == TEXT_ONLY else colour
    return parts > 0, value, i


@borrowing
def _read_gradient(css, i, end):
    """Return (the value of the gradient whose parenthesis is at `i`, 0 if no colour is understood, index after it)."""
    gradient, depth = 0, 0
    while i < end:
        byte = int(css[i])
        known, colour, after = read_colour(css, i, end)
        if known and colour == CURRENT:
            gradient = _ANY | _RGB << 32 | OPAQUE
        elif known:
            gradient = _ANY | (colour & _RGB) << 32 | colour if gradient == 0 else _join(colour, colour, gradient)
        else:
            after = skip_token(css, i, end)
            depth += int(byte == 40) - int(byte == 41)
        i = after
        if depth == 0:
            break
    return gradient, i


@borrowing
def _join(light, dark, gradient):
    """Return the value of a gradient that also has these colours."""
    return _ANY | (most(light, lightest_of(gradient)) & _RGB) << 32 | least(dark, darkest_of(gradient))
