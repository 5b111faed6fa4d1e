"""HTML bytes -> visible text and hidden text (compiled; see `stream_nb.mail.html`).

Each byte is consumed once, with at most one lookahead, so the time is linear for any input; a test counts the reads.
Style sheets are read in a first pass, because they also apply to what is above them.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css_media import media_applies
from stream_nb.kernels.css_names import HTML
from stream_nb.kernels.css_rules import CHILDREN
from stream_nb.kernels.css_sheets import read_sheet
from stream_nb.kernels.css_syntax import key
from stream_nb.kernels.html_characters import character, write_character
from stream_nb.kernels.html_elements import (
    BODY,
    BREAK,
    HEAD,
    HEADS,
    OF_HEAD,
    RAW,
    RAW_TEXT,
    VOID,
    between,
    close,
    close_for,
    parent_of,
    traits_of,
)
from stream_nb.kernels.html_opening import open_tag, select_for
from stream_nb.kernels.html_style import FOSTER, GONE, NAME, NOT_DISPLAYED, SHOWN, STATE, start_state
from stream_nb.kernels.html_tags import (
    FIRST_TARGET,
    MEDIA,
    TAG,
    TAG_NAME,
    TAG_WITH_ATTRIBUTES,
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

_STYLE_NAME = key("style")
_MOST_NAMES = 32
_IN_BODY = 3
"""Open elements with the document, ``html`` and ``body``."""
_FEWEST_BYTES = 2
"""Bytes of markup for each open element, at least: ``<table><td>`` opens four."""


@kernel
def read_styles(data, entries, rules, counts):
    """Read all style sheets of a document that apply to a screen into `entries` (see `css_names`) and `rules`
    (`css_rules`), as far as they fit."""
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

    Each half (uint8) must be two bytes longer than `data`. `read_styles` fills `entries` and `rules`.
    """
    tag = np.zeros(TAG_WITH_ATTRIBUTES if entries.shape[0] > 0 else TAG, np.int64)
    bare, css = np.zeros(TAG, np.int64), np.empty(len(data) + 16, np.uint8)
    found, heads = np.empty(_MOST_NAMES, np.int64), np.zeros(HEADS, np.int64)
    values, ranks = np.empty(STYLE_PROPERTIES, np.int64), np.empty(STYLE_PROPERTIES, np.int64)
    open_elements = np.empty((4 + len(data) // _FEWEST_BYTES, STATE), np.int64)
    return _split(data, entries, rules, out, tag, bare, css, found, values, ranks, open_elements, heads)


@borrowing
def _split(data, entries, rules, out, tag, bare, css, found, values, ranks, open_elements, heads):
    """`split_html` with all arrays allocated."""
    end = len(data)
    styled = entries.shape[0] > 0
    start_state(open_elements[0])
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
        is_text = not (is_tag or closing or following == 33 or following == 63)
        starts_body = is_text and depth < _IN_BODY and byte > 32
        if is_text and not starts_body:
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
        if not (is_tag or starts_body):
            if following == 33 and i + 3 < end and data[i + 2] == 45 and data[i + 3] == 45:
                i = skip_comment(data, i + 4, end)
            else:
                i = skip_past(data, i + 1, end, 62)
            continue

        if starts_body:
            for column in range(FIRST_TARGET):
                tag[column] = 0
            name, traits = BODY, 0
            tag[TAG_NAME] = BODY
        else:
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
        ignored = closing or (traits & OF_HEAD != 0 and depth < _IN_BODY) or (name == HTML and depth > 1)
        for step in range(2):  # step 0: after closing elements; step 1: after opening an element
            while step == 1 and not ignored:
                around = open_elements[depth - 1, NAME]
                added = between(name, around) if styled or depth < _IN_BODY else 0
                if styled and around == HTML and open_elements[depth - 1, CHILDREN] == 0:
                    added = HEAD
                bare[TAG_NAME] = added
                opened = tag if added == 0 else bare
                kind = traits if added == 0 else traits_of(added)
                if not kind & (RAW | VOID):
                    depth = open_tag(
                        data, opened, kind, depth, css, open_elements, heads, entries, rules, found, values, ranks
                    )
                elif styled:
                    relatives = open_elements[parent_of(kind, depth, open_elements)]
                    select_for(data, opened, css, relatives, entries, rules, found, values, ranks)
                if added == 0:
                    break
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
