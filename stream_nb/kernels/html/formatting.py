"""The list of active formatting elements: ``<b>``, ``<font>`` and so on whose own end tag has not come (compiled).

A formatting element that another end tag closes stays active, and is opened again before the next text. Its own end tag
closes it even within a paragraph that began later, which stays open. An element is opened again by reading its tag
again, until twice the bytes of the document were read so; then it stays closed.

Source: WHATWG, HTML, 13.2.4.3 The list of active formatting elements, 13.2.6.4.7 The "in body" insertion mode.
"""

# pyright: basic

from stream_nb.kernels.html.elements import ACTIVE, END, KIND, MARK, REREAD, ROW, START, close, cut
from stream_nb.kernels.html.opening import open_one
from stream_nb.kernels.html.style import ENDS_WORD, NAME, SCOPE, SPECIAL_AT, TAG_AT
from stream_nb.kernels.html.tags import blank_tag, read_tag
from stream_nb.kernels.html.traits import FORMATTING, FORMATTING_MARK, SPECIAL, traits_of
from stream_nb.kernels.jit import borrowing, inlined
from stream_nb.kernels.swar import same_bytes

MOST_ACTIVE = 64
_MOST_FORMATTING = 48
"""The remaining ones are for marks."""
_MOST_ALIKE, _MOST_BETWEEN = 3, 3
_LEAST_REREAD, _COST = 4096, 32


@inlined
def note_formatting(data, i, end, name, traits, depth, elements):
    """Add the element just opened by the tag at data[i:end] to the active ones, or the mark that it sets."""
    active, counts = elements.active, elements.counts
    at, is_mark = counts[ACTIVE], traits & FORMATTING_MARK != 0
    if at >= (MOST_ACTIVE if is_mark else _MOST_FORMATTING) or not (is_mark or traits & FORMATTING):
        return
    alike, first = 0, -1
    if not is_mark:
        for k in range(at - 1, -1, -1):
            if active[k, KIND] == MARK:
                break
            same_size = active[k, KIND] == name and active[k, END] - active[k, START] == end - i
            if same_size and same_bytes(data, active[k, START], i, end - i):
                alike, first = alike + 1, k
        if alike == _MOST_ALIKE:
            _remove(first, elements)
            at -= 1
    active[at, KIND], active[at, START], active[at, END] = MARK if is_mark else name, i, end
    active[at, ROW] = depth - 1
    counts[ACTIVE] = at + 1


@inlined
def find_active(column, value, elements):
    """Return the last active element after the last mark that has this value in a column, or -1."""
    for k in range(elements.counts[ACTIVE] - 1, -1, -1):
        if elements.active[k, KIND] == MARK:
            return -1
        if elements.active[k, column] == value:
            return k
    return -1


@borrowing
def _remove(k, elements):
    active, counts = elements.active, elements.counts
    counts[ACTIVE] -= 1
    for later in range(k, counts[ACTIVE]):
        for column in range(active.shape[1]):
            active[later, column] = active[later + 1, column]


@inlined
def has_closed_formatting(elements):
    """Return whether the last active element is closed."""
    last = elements.counts[ACTIVE] - 1
    return last >= 0 and elements.active[last, KIND] != MARK and elements.active[last, ROW] == 0


@inlined
def reopen_formatting(data, added, depth, elements, styles):
    """Open all active elements that are closed; return how many elements are open."""
    active, count = elements.active, elements.counts[ACTIVE]
    first = count
    while first > 0 and active[first - 1, KIND] != MARK and active[first - 1, ROW] == 0:
        first -= 1
    for k in range(first, count):
        before = depth
        depth = _reopen(data, active[k, START], active[k, KIND], added, depth, elements, styles)
        if depth > before:
            active[k, ROW] = before
    return depth


@borrowing
def _reopen(data, start, name, added, depth, elements, styles):
    """Open an element again; return how many are open: one more, unless too many bytes were read again."""
    counts, end = elements.counts, len(data)
    if counts[REREAD] > 2 * end + _LEAST_REREAD:
        return depth
    blank_tag(name, added)
    after = read_tag(data, start, end, added) if start >= 0 else start
    counts[REREAD] += after - start + _COST
    return open_one(data, start, added, traits_of(name), depth, elements, styles)


@inlined
def close_formatting(data, name, traits, added, depth, elements, styles):
    """Close a formatting element as its own end tag does; return how many are open.

    Elements within it such as paragraphs stay open, now within what was around it.
    """
    rows, active = elements.rows, elements.active
    k = find_active(KIND, name, elements)
    if k < 0:
        return close(name, traits, depth, elements)
    at = active[k, ROW]
    if at > 0 and rows[depth - 1, SCOPE] > at:
        return depth
    _remove(k, elements)
    if at == 0:
        return depth
    last_special = rows[depth - 1, SPECIAL_AT]
    left = cut(at, depth, elements)
    in_special, between = False, 0
    for row in range(at + 1, last_special + 1):
        kind, start = rows[row, NAME], rows[row, TAG_AT]
        is_special, entry = traits_of(kind) & SPECIAL != 0, -1
        if is_special:
            in_special = True
        elif not in_special and between < _MOST_BETWEEN:
            entry = find_active(START, start, elements)
            between += int(entry >= 0)
        if is_special or entry >= 0:
            before = left
            left = _reopen(data, start, kind, added, left, elements, styles)
            if left > before and entry >= 0:
                active[entry, ROW] = before
    for row in range(left, last_special + 1):
        rows[row, ENDS_WORD] = 0  # what stays open ends no word
    return left
