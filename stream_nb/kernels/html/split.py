"""HTML bytes -> visible text and hidden text (compiled; see `stream_nb.mail.html`).

Each byte is consumed once, with at most one lookahead, but for the tags of formatting, which are compared and read
again within limits (`html.formatting`). So the time is linear for any input; a test counts the reads.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css.layout import STYLE_PROPERTIES
from stream_nb.kernels.css.rules import Styles
from stream_nb.kernels.css.syntax import key
from stream_nb.kernels.html.boxes import room_of
from stream_nb.kernels.html.elements import BODY, HEADS, IN_BODY, KIND, OpenElements, close, close_for, cut, is_ignored
from stream_nb.kernels.html.formatting import (
    MOST_ACTIVE,
    close_formatting,
    find_active,
    has_closed_formatting,
    note_formatting,
    reopen_formatting,
)
from stream_nb.kernels.html.opening import open_tag
from stream_nb.kernels.html.style import (
    CUT,
    ENDS_WORD,
    FOSTER,
    GONE,
    INDENTED,
    LETTERS,
    LINE,
    NOT_DISPLAYED,
    NOWRAP,
    ROOM,
    SHOWN,
    STATE,
    start_state,
)
from stream_nb.kernels.html.tags import (
    FIRST_TARGET,
    TAG,
    TAG_NAME,
    TAG_WITH_ATTRIBUTES,
    TARGETS,
    VALUE,
    blank_tag,
    decode,
    end_of_raw_text,
    is_thin,
    read_tag,
    skip_comment,
    skip_past,
    write_host,
    write_value,
)
from stream_nb.kernels.html.text import COMMENT, END, OTHER, TEXT, count_characters, kind_at, write_text
from stream_nb.kernels.html.traits import (
    BREAK,
    END_BREAKS,
    ENDS_ITSELF,
    ENDS_P,
    FIELD,
    FORMATTING,
    IMAGE,
    IN_TABLE,
    NOT_CLOSED,
    OF_HEAD,
    RAW,
    RAW_TEXT,
    WITHOUT_MARKUP,
    traits_of,
)
from stream_nb.kernels.jit import borrowing, inlined, kernel

_MOST_NAMES = 32
_OF_NO_TEXT = ENDS_P | IN_TABLE | OF_HEAD | NOT_CLOSED | WITHOUT_MARKUP
"""Tags before which formatting is not opened again."""
_BR = key("br")
_FEWEST_BYTES = 2
"""Bytes of markup for each open element, at least: ``<table><td>`` opens four."""
_SEEN, _HIDDEN = range(2)
"""Indices in `lengths`: where the next byte of visible text and of hidden text is written."""


@kernel
def split_html(data, entries, rules, out):
    """Write visible text to the first half of `out`, hidden text to the second; return the bytes written to each.

    Each half (uint8) must be two bytes longer than `data`. `read_styles` fills `entries` and `rules`.
    """
    columns = TAG_WITH_ATTRIBUTES if entries.shape[0] > 0 else TAG
    tag, added = np.empty(columns, np.int64), np.empty(columns, np.int64)
    rows = np.empty((4 + len(data) // _FEWEST_BYTES, STATE), np.int64)
    active, counts = np.empty((MOST_ACTIVE, 4), np.int64), np.zeros(2, np.int64)
    elements = OpenElements(rows, np.zeros(HEADS, np.int64), active, counts)
    values, ranks = np.empty(STYLE_PROPERTIES, np.int64), np.empty(STYLE_PROPERTIES, np.int64)
    css, found = np.empty(len(data) + 16, np.uint8), np.empty(_MOST_NAMES, np.int64)
    styles = Styles(entries, rules, found, values, ranks, css)
    half = out.shape[0] >> 1
    lengths = np.array([0, half])
    _split(data, elements, styles, tag, added, out, lengths)
    return lengths[_SEEN], lengths[_HIDDEN] - half


@borrowing
def _split(data, elements, styles, tag, added, out, lengths):
    """`split_html` with all arrays allocated."""
    rows, end = elements.rows, len(data)
    start_state(rows[0])
    depth, side, i = 1, _SEEN, 0
    while i < end:
        kind = kind_at(data, i, end)
        if kind == TEXT and (depth >= IN_BODY or data[i] <= 32):
            if has_closed_formatting(elements):
                depth = reopen_formatting(data, added, depth, elements, styles)
                side = _turn(side, rows, depth, out, lengths)
            row, n = rows[depth - 1, FOSTER], lengths[side]
            box = _box_around(rows, row) if side == _SEEN else 0
            room = room_of(rows[row, LETTERS], rows[box, LINE] > 0)
            last = len(out) if box == 0 else n + max(rows[box, ROOM] // room, 1)
            i, lengths[side] = write_text(data, i, end, depth < IN_BODY, out, n, last)
            if box > 0:
                rows[box, ROOM] -= count_characters(out, n, lengths[side]) * room
                side = _turn(side, rows, depth, out, lengths)
            continue
        if kind == COMMENT:
            i = skip_comment(data, i + 4, end)
            continue
        if kind == OTHER:
            i = skip_past(data, i + 1, end, 62)
            continue

        start, traits = i, 0
        if kind == TEXT:
            blank_tag(BODY, tag)
        else:
            i = read_tag(data, i, end, tag)
            traits = traits_of(tag[TAG_NAME])
        opens = kind != END and not is_ignored(tag[TAG_NAME], traits, depth, elements)
        before, breaks = depth, False
        if kind == END or opens:
            depth = _close_for_tag(data, kind, tag[TAG_NAME], traits, added, depth, elements, styles)
            breaks = _ends_word(rows, depth, before)
            side = _turn(side, rows, depth, out, lengths)
        if traits & BREAK and traits & (END_BREAKS if kind == END else WITHOUT_MARKUP) and depth == before:
            takes_room = not traits & IMAGE or not is_thin(data, tag, out, lengths[_SEEN])
            breaks = rows[depth - 1, GONE] != NOT_DISPLAYED and takes_room
        if opens:
            indented = depth - 1 if tag[TAG_NAME] == _BR else 0
            while rows[indented, INDENTED] == 1:  # only the first line is indented
                rows[indented, INDENTED] = 0
                indented -= 1
            if not traits & _OF_NO_TEXT and has_closed_formatting(elements):
                depth = reopen_formatting(data, added, depth, elements, styles)
            before = depth
            depth = open_tag(data, start, tag, added, traits, depth, elements, styles)
            if depth > before:
                breaks |= _ends_word(rows, depth - 1, depth)
                note_formatting(data, start, i, tag[TAG_NAME], traits, depth, elements)
            side = _turn(side, rows, depth, out, lengths)
        box = rows[depth - 1, CUT]
        if breaks and rows[box, LINE] > 0:
            rows[box, ROOM] = rows[box, LINE]
            side = _turn(side, rows, depth, out, lengths)
        i = _write_tag(data, i, kind, tag, traits, breaks, side, out, lengths)
        if opens and traits & FIELD:
            depth = cut(depth - 1, depth, elements)
            side = _turn(side, rows, depth, out, lengths)


@inlined
def _write_tag(data, i, kind, tag, traits, breaks, side, out, lengths):
    """Append the space that a tag means, the hosts of its links, the text that a field or an image without a source
    shows, and that of an element without markup; return the index after it."""
    half, end = out.shape[0] >> 1, len(data)
    if breaks:
        _write_space(out, lengths, _SEEN)
    if side == _HIDDEN and (breaks or traits & BREAK) and lengths[_HIDDEN] > half:
        _write_space(out, lengths, _HIDDEN)
    for k in range(tag[TARGETS]):
        at = FIRST_TARGET + 2 * k
        lengths[_HIDDEN] = write_host(data, tag[at], tag[at + 1], out, lengths[_HIDDEN])
    if kind != END and tag[VALUE + 1] > 0 and (traits & FIELD or (traits & IMAGE and tag[TARGETS] == 0 and breaks)):
        lengths[side] = write_value(data, tag, out, lengths[side])
        _write_space(out, lengths, side)
    if kind == END or not traits & RAW:
        return i
    stop = end_of_raw_text(data, i, end, tag[TAG_NAME])
    if traits & RAW_TEXT:
        if lengths[_HIDDEN] > half:
            _write_space(out, lengths, _HIDDEN)
        lengths[_HIDDEN] = decode(data, i, stop, out, lengths[_HIDDEN])
    return stop


@inlined
def _ends_word(rows, first, end):
    """Return whether a word ends where the elements of these rows begin or end."""
    for k in range(first, end):
        if rows[k, ENDS_WORD] == 1 and rows[k, GONE] != NOT_DISPLAYED:
            return True
    return False


@inlined
def _close_for_tag(data, kind, name, traits, added, depth, elements, styles):
    """Close the elements that a tag ends; return how many are left open."""
    ends_itself = kind != END and traits & ENDS_ITSELF and find_active(KIND, name, elements) >= 0
    if ends_itself or (kind == END and traits & FORMATTING):
        depth = close_formatting(data, name, traits, added, depth, elements, styles)
    elif kind == END:
        depth = close(name, traits, depth, elements)
    if kind != END and not traits & WITHOUT_MARKUP:
        depth = close_for(name, traits, depth, elements)
    return depth


@inlined
def _box_around(rows, row):
    """Return the row of the box that cuts off the text of an element, or 0."""
    box = rows[row, CUT]
    return 0 if rows[box, LINE] > 0 and rows[row, NOWRAP] == 0 else box


@inlined
def _turn(side, rows, depth, out, lengths):
    """Return the side of text that follows; hidden text begins after a space, unless it is the first."""
    row = rows[depth - 1, FOSTER]
    box = _box_around(rows, row)
    fits = rows[box, ROOM] >= room_of(rows[row, LETTERS], rows[box, LINE] > 0)
    following = _SEEN if rows[row, SHOWN] == 1 and rows[row, INDENTED] == 0 and fits else _HIDDEN
    if following == _HIDDEN and side == _SEEN and lengths[_HIDDEN] > out.shape[0] >> 1:
        _write_space(out, lengths, _HIDDEN)
    return following


@borrowing
def _write_space(out, lengths, side):
    out[lengths[side]] = 32
    lengths[side] += 1
