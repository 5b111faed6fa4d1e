"""Whether a style sheet applies to a screen (compiled). Source: W3C, Media Queries Level 4."""

# pyright: basic

from stream_nb.kernels.css_math import read_length
from stream_nb.kernels.css_syntax import PIXELS, UNIT, key, keys, read_name, skip_blank
from stream_nb.kernels.html_characters import index
from stream_nb.kernels.jit import kernel

_WINDOW = 800 * UNIT
_MIN_WIDTH, _MAX_WIDTH, _SCREENS = key("min-width"), key("max-width"), keys("all screen only and")


@kernel
def media_applies(css, i, end):
    """Return whether one of the queries in a media list matches a window of 800 px; an empty list does."""
    applies = True
    while i < end:
        byte = css[i]
        name, after = read_name(css, i, end)
        if byte == 44:
            if applies:
                return True
            applies = True
        elif byte == 40:
            name, i = read_name(css, skip_blank(css, i + 1, end), end)
            i = skip_blank(css, i, end)
            kind, value = 0, 0
            if i < end and css[i] == 58:
                kind, value, _ = read_length(css, skip_blank(css, i + 1, end), end)
            fits = (name == _MIN_WIDTH and value <= _WINDOW) or (name == _MAX_WIDTH and value >= _WINDOW)
            applies = applies and kind == PIXELS and fits
            while i < end and css[i] != 41:
                i += 1
        elif name != 0:
            applies = applies and index(_SCREENS, name) >= 0
        i = max(after, i + 1)
    return applies
