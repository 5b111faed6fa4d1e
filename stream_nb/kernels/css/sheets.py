"""Style sheets -> rules (compiled).

Rules for print, for windows that are not 800 px wide, and in ``@supports`` are ignored: Gmail and Outlook ignore the
latter, too. Source: W3C, CSS Syntax Module Level 3.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css.blocks import skip_block, skip_prelude
from stream_nb.kernels.css.declarations import read_declarations
from stream_nb.kernels.css.layout import STYLE_PROPERTIES, STYLE_RULES
from stream_nb.kernels.css.media import media_applies
from stream_nb.kernels.css.names import BLOCKS
from stream_nb.kernels.css.rules import declare
from stream_nb.kernels.css.selectors import read_selectors
from stream_nb.kernels.css.syntax import index, key, keys, read_name, skip_blank
from stream_nb.kernels.jit import inlined

INLINE = 1 << 56
"""The rank of an inline style."""

_AUTHOR, _SPECIFIC, _MOST_SPECIFIC = 2, 28, (1 << 27) - 1
_MEDIA, _GROUPS = key("media"), keys("layer")


@inlined
def read_sheet(css, i, end, entries, rules, counts):
    """Add the rules of a style sheet."""
    values, ranks = np.empty(STYLE_PROPERTIES, np.int64), np.empty(STYLE_PROPERTIES, np.int64)
    selected = np.empty((STYLE_RULES[0], 2), np.int64)
    groups = 0  # open ones, such as @media
    while i < end:
        i = skip_blank(css, i, end)
        if i >= end:
            break
        byte = css[i]
        if byte == 125 and groups > 0:
            groups -= 1
            i += 1
        elif byte == 60 or (byte == 45 and i + 2 < end and css[i + 1] == 45 and css[i + 2] == 62):
            i = min(i + (4 if byte == 60 else 3), end)  # marks of the HTML comment around old style sheets
        elif byte == 64:
            name, first = read_name(css, i + 1, end)
            i = skip_prelude(css, first, end, True)
            applies = index(_GROUPS, name) >= 0
            if name == _MEDIA:
                applies = media_applies(css, first, i)
            if i < end and css[i] == 59:
                i += 1
            elif applies:
                groups += 1
                i += 1
            else:
                i = skip_block(css, i, end)
        else:
            first = i
            i = skip_prelude(css, i, end, False)
            for p in range(STYLE_PROPERTIES):
                ranks[p] = -1
            last = i
            i = read_declarations(css, i + 1, end, _AUTHOR + counts[BLOCKS], values, ranks, True) + 1
            counts[BLOCKS] += 1
            any_known = False
            for p in range(STYLE_PROPERTIES):
                any_known = any_known or ranks[p] >= 0
            if any_known:
                for k in range(read_selectors(css, first, last, entries, rules, counts, selected)):
                    declare(selected[k, 0], min(selected[k, 1], _MOST_SPECIFIC) << _SPECIFIC, values, ranks, rules)
