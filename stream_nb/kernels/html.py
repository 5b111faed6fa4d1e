"""HTML bytes -> visible text and hidden text (compiled; see `stream_nb.mail.html`).

Each byte is consumed once, with at most one lookahead, so the time is linear for any input; a test counts the reads.
Style sheets are read in a first pass, because they also apply to what is above them.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css_colours import OPAQUE, legacy_colour
from stream_nb.kernels.css_declarations import read_declarations
from stream_nb.kernels.css_media import media_applies
from stream_nb.kernels.css_properties import BACKGROUND, COLOUR, DISPLAY, PICTURE
from stream_nb.kernels.css_rules import (
    CLASS_MARK,
    ID_MARK,
    INLINE,
    read_names,
    read_sheet,
    select,
)
from stream_nb.kernels.css_syntax import key
from stream_nb.kernels.html_characters import character, write_character
from stream_nb.kernels.html_elements import (
    BREAK,
    HEADS,
    NEVER_SHOWN,
    RAW,
    RAW_TEXT,
    VOID,
    close,
    close_for,
    open_element,
    traits_of,
)
from stream_nb.kernels.html_style import (
    AROUND,
    FOSTER,
    GONE,
    NOT_DISPLAYED,
    SHOWN,
    STATE,
    TALL,
    declare_state,
    start_state,
)
from stream_nb.kernels.html_tags import (
    CLASS,
    FIRST_TARGET,
    HIDDEN,
    ID,
    INK,
    MEDIA,
    PAPER,
    PICTURED,
    STYLE,
    TAG,
    TAG_NAME,
    TARGETS,
    decode,
    end_of_raw_text,
    read_tag,
    skip_comment,
    skip_past,
    write_target,
)
from stream_nb.kernels.jit import borrowing, kernel
from stream_nb.kernels.style_layout import STYLE_PROPERTIES

_A, _BODY, _STYLE_NAME = key("a"), key("body"), key("style")
_LINK_COLOUR = OPAQUE + 0x0000EE
_MOST_NAMES = 32
_SHORTEST_TAG = len("<b>")


@kernel
def read_styles(data, entries, rules, counts):
    """Read all style sheets of a document that apply to a screen into `rules` (see `css_rules`), as far as they fit."""
    end = len(data)
    tag, css = np.empty(TAG, np.int64), np.empty(end, np.uint8)
    i = 0
    while i < end:
        i = skip_past(data, i, end, 60)
        following = int(data[i]) if i < end else 0
        if following == 33 and i + 2 < end and data[i + 1] == 45 and data[i + 2] == 45:
            i = skip_comment(data, i + 3, end)
        elif 97 <= (following | 32) <= 122:
            i = read_tag(data, i - 1, end, tag)
            if traits_of(tag[TAG_NAME]) & RAW:
                stop = end_of_raw_text(data, i, end, tag[TAG_NAME])
                n = decode(data, tag[MEDIA], tag[MEDIA + 1], css, 0)
                if tag[TAG_NAME] == _STYLE_NAME and media_applies(css, 0, n):
                    for k in range(stop - i):
                        css[k] = data[i + k]
                    read_sheet(css, 0, stop - i, entries, rules, counts)
                i = stop
        elif following == 47 or following == 33 or following == 63:
            i = skip_past(data, i, end, 62)


@kernel
def split_html(data, entries, rules, out):
    """Write visible text to the first half of `out`, hidden text to the second; return the bytes written to each.

    Each half (uint8) must be two bytes longer than `data`. `read_styles` fills `entries` and `rules` (see `css_rules`).
    """
    tag, css = np.zeros(TAG, np.int64), np.empty(len(data) + 16, np.uint8)
    names, heads = np.empty(_MOST_NAMES, np.int64), np.zeros(HEADS, np.int64)
    values, ranks = np.empty(STYLE_PROPERTIES, np.int64), np.empty(STYLE_PROPERTIES, np.int64)
    open_elements = np.empty((2 + len(data) // _SHORTEST_TAG, STATE), np.int64)
    return _split(data, entries, rules, out, tag, css, names, values, ranks, open_elements, heads)


@borrowing
def _split(data, entries, rules, out, tag, css, names, values, ranks, open_elements, heads):
    """`split_html` with all arrays allocated."""
    end = len(data)
    start_state(open_elements[0])
    tag[TAG_NAME] = _BODY
    _declare(data, tag, 0, css, open_elements[0], entries, rules, names, values, ranks)
    depth = 1
    half = out.shape[0] >> 1
    n, n_other = 0, half
    shown = True
    i = 0
    while i < end:
        byte = data[i]
        following = int(data[i + 1]) if byte == 60 and i + 1 < end else 0
        closing = following == 47
        letter = following
        if closing:
            letter = int(data[i + 2]) if i + 2 < end else 0
        is_tag = 97 <= (letter | 32) <= 122
        if not (is_tag or closing or following == 33 or following == 63):
            point = -1
            if byte == 38:
                point, i = character(data, i, end)
            else:
                i += 1
            if point >= 0:
                n = write_character(out, n, point)
            else:
                out[n] = byte
                n += 1
            continue
        if not is_tag:
            if following == 33 and i + 3 < end and data[i + 2] == 45 and data[i + 3] == 45:
                i = skip_comment(data, i + 4, end)
            else:
                i = skip_past(data, i + 1, end, 62)
            continue

        i = read_tag(data, i, end, tag)
        name = tag[TAG_NAME]
        traits = traits_of(name)
        opens = not (closing or traits & (RAW | VOID))
        before = depth
        if closing:
            depth = close(name, traits, depth, open_elements, heads)
        elif opens:
            depth = close_for(name, traits, depth, open_elements, heads)
        ends = depth < before
        breaks = ends and open_elements[depth, GONE] != NOT_DISPLAYED
        for step in range(2):  # step 0: after closing elements; step 1: after opening an element
            if step == 1 and opens:
                depth = open_element(name, traits, depth, open_elements, heads)
                _declare(data, tag, traits, css, open_elements[depth - 1], entries, rules, names, values, ranks)
            if shown != (open_elements[open_elements[depth - 1, FOSTER], SHOWN] == 1):
                shown = not shown
                n, n_other = n_other, n
                if not shown and n > half:
                    out[n] = 32
                    n += 1
        if traits & BREAK:
            breaks |= (opens or not ends) and open_elements[depth - 1, GONE] != NOT_DISPLAYED
            if breaks and not shown:
                out[n_other] = 32
                n_other += 1
            if breaks if shown else n > half:
                out[n] = 32
                n += 1
        if tag[TARGETS] > 0:
            for k in range(tag[TARGETS]):
                at = FIRST_TARGET + 2 * k
                n = write_target(data, tag[at], tag[at + 1], out, n)
            out[n] = 32
            n += 1
        if traits & RAW and not closing:
            stop = end_of_raw_text(data, i, end, name)
            if traits & RAW_TEXT:
                if shown:
                    n_other = _write_raw(data, i, stop, out, n_other, n_other > half)
                else:
                    n = _write_raw(data, i, stop, out, n, n > half)
            i = stop
    if shown:
        return n, n_other - half
    return n_other, n - half


@borrowing
def _write_raw(data, i, end, out, n, after_text):
    """Append text that has no markup, after a space if there is text before it; return the new length."""
    if after_text:
        out[n] = 32
        n += 1
    return decode(data, i, end, out, n)


@borrowing
def _declare(data, tag, traits, css, state, entries, rules, names, values, ranks):
    """Apply what attributes, style sheets and inline style of an element declare to its `state`."""
    name = tag[TAG_NAME]
    is_link = name == _A and tag[TARGETS] > 0
    not_displayed = tag[HIDDEN] == 1 or traits & NEVER_SHOWN != 0
    coloured = tag[INK + 1] > 0 or tag[PAPER + 1] > 0 or tag[PICTURED + 1] > 0
    around = state[TALL]
    if traits & BREAK:
        state[TALL] = 0
    if not (is_link or not_displayed or coloured or tag[STYLE + 1] > 0 or entries.shape[0] > 0):
        return
    for p in range(STYLE_PROPERTIES):
        ranks[p] = -1
    if is_link:
        values[COLOUR], ranks[COLOUR] = _LINK_COLOUR, 0
    if not_displayed:
        values[DISPLAY], ranks[DISPLAY] = 1, 1
    if tag[PICTURED + 1] > 0:
        values[BACKGROUND], ranks[BACKGROUND] = PICTURE, 1
    if entries.shape[0] > 0:
        names[0] = name
        n = 1
        for at in (CLASS, ID):
            size = decode(data, tag[at], tag[at + 1], css, 0)
            n = read_names(css, size, CLASS_MARK if at == CLASS else ID_MARK, names, n)
        state[AROUND] = select(names, n, state[AROUND], entries, rules, values, ranks)
    for at, place in ((INK, COLOUR), (PAPER, BACKGROUND)):
        if tag[at + 1] > 0:
            n = decode(data, tag[at], tag[at + 1], css, 0)
            known, colour = legacy_colour(css, 0, n)
            if known and ranks[place] <= 1:
                values[place], ranks[place] = colour, 1
    if tag[STYLE + 1] > 0:
        n = decode(data, tag[STYLE], tag[STYLE + 1], css, 0)
        read_declarations(css, 0, n, INLINE, values, ranks, False)
    declare_state(values, ranks, around, state)
