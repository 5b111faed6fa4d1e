"""CSS declarations -> the properties that decide whether text is visible (compiled).

`values` and `ranks` (int64[STYLE_PROPERTIES]) hold the value of each property, and the rank of its declaration (-1: not
declared). A later declaration of the same or a higher rank replaces it. As in a browser, a declaration has no effect if
its value is invalid. Source: W3C, CSS Syntax Module Level 3, 5.4.6 Consume a declaration.
"""

# pyright: basic

from stream_nb.kernels.css_properties import PLACES, PROPERTY_KEYS
from stream_nb.kernels.css_syntax import key, read_name, skip_blank
from stream_nb.kernels.css_values import read_value
from stream_nb.kernels.html_characters import index
from stream_nb.kernels.jit import borrowing

IMPORTANT = 1 << 60
_IMPORTANT = key("important")


@borrowing
def read_declarations(css, i, end, rank, values, ranks):
    """Read declarations of this rank up to a closing brace or `end`; return the index of the brace, or `end`."""
    while i < end and css[i] != 125:
        i = skip_blank(css, i, end)
        name, i = read_name(css, i, end)
        i = skip_blank(css, i, end)
        is_pair = name != 0 and i < end and css[i] == 58
        first = skip_blank(css, i + 1, end) if is_pair else i
        i, mark = _end_of_value(css, first, end)
        at = index(PROPERTY_KEYS, name) if is_pair else -1
        if at >= 0 and _is_valid_mark(css, mark, i):
            own = rank + IMPORTANT if mark < i else rank
            place = PLACES[at]
            if own >= ranks[place]:
                valid, value = read_value(css, first, mark, place, name)
                if valid:
                    values[place], ranks[place] = value, own
        if i < end and css[i] == 59:
            i += 1
    return i


@borrowing
def _end_of_value(css, i, end):
    """Return the index of the semicolon or brace that ends a value, and that of its first exclamation mark, if any."""
    depth, quote, mark = 0, 0, end
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
            return i, min(mark, i)
        elif byte == 33:
            mark = min(mark, i)
        i += 1
    return end, min(mark, end)


@borrowing
def _is_valid_mark(css, mark, end):
    """Return whether there is nothing from `mark` to the end of a value, or just ``!important``."""
    if mark == end:
        return True
    name, after = read_name(css, skip_blank(css, mark + 1, end), end)
    return name == _IMPORTANT and skip_blank(css, after, end) == end
