"""CSS declarations -> the properties that decide whether text is visible (compiled).

`values` and `ranks` (int64[STYLE_PROPERTIES]) hold the value of each property, and the rank of its declaration (-1: not
declared). A later declaration of the same or a higher rank replaces it. As in a browser, a declaration has no effect if
its value is invalid. Source: W3C, CSS Syntax Module Level 3, 5.4.6 Consume a declaration.
"""

# pyright: basic

from stream_nb.kernels.css.blocks import end_of_value
from stream_nb.kernels.css.layout import STYLE_PROPERTIES
from stream_nb.kernels.css.properties import COUNTS, INDICES, PROPERTY_KEYS
from stream_nb.kernels.css.syntax import index, key, read_name, skip_blank
from stream_nb.kernels.css.values import read_value
from stream_nb.kernels.jit import borrowing

IMPORTANT = 1 << 60
_IMPORTANT, _ALL = key("important"), key("all")


@borrowing
def read_declarations(css, i, end, rank, values, ranks, in_rule):
    """Read declarations of this rank up to `end`, or, in a rule, up to its closing brace; return its index, or `end`.

    Nested rules are skipped.
    """
    while i < end and not (in_rule and css[i] == 125):
        i = skip_blank(css, i, end)
        name, after = read_name(css, i, end)
        after = skip_blank(css, after, end)
        is_pair = name != 0 and after < end and css[after] == 58
        first = skip_blank(css, after + 1, end) if is_pair else i
        i, mark = end_of_value(css, first, end, in_rule, in_rule or (i < end and css[i] == 64))
        at = index(PROPERTY_KEYS, name) if is_pair else -1
        if (at >= 0 or (is_pair and name == _ALL)) and _is_valid_mark(css, mark, i):
            own = rank + IMPORTANT if mark < i else rank
            lowest = INDICES[at] if at >= 0 else 0
            count = COUNTS[at] if at >= 0 else STYLE_PROPERTIES
            for prop in range(lowest, lowest + count):
                if own >= ranks[prop]:
                    valid, value = read_value(css, first, mark, prop, name)
                    if valid:
                        values[prop], ranks[prop] = value, own
        if i < end and css[i] == 59:
            i += 1
    return i


@borrowing
def _is_valid_mark(css, mark, end):
    """Return whether there is nothing from `mark` to the end of a value, or just ``!important``."""
    if mark == end:
        return True
    name, after = read_name(css, skip_blank(css, mark + 1, end), end)
    return name == _IMPORTANT and skip_blank(css, after, end) == end
