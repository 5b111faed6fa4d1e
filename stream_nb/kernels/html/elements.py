"""The stack of open elements of an HTML document, and what opens and closes them (compiled).

Follows the tree construction of the HTML standard as far as it decides which element contains which: optional end tags,
end tags that have no effect outside of their table cell or within a paragraph, and content of a table outside of its
cells, which is shown before the table (foster parenting). The element ``head`` is like an empty one.

Source: WHATWG, HTML, 13.2.6 Tree construction.
"""

# pyright: basic

from typing import Any, NamedTuple

from stream_nb.kernels.css.names import HTML
from stream_nb.kernels.css.syntax import key, keys
from stream_nb.kernels.html.style import (
    ENDS_WORD,
    FOSTER,
    INDENTED,
    ITEM,
    ITEM_SCOPE,
    ITEMS,
    NAME,
    PREVIOUS,
    SCOPE,
    SPECIAL_AT,
    STATE,
    TAG_AT,
)
from stream_nb.kernels.html.traits import (
    BREAK,
    ENDS_LIKE,
    ENDS_P,
    HEADING,
    IN_TABLE,
    NOT_CLOSED,
    OF_HEAD,
    SCOPE_MARK,
    SECTION,
    SPECIAL,
    TABLE_PART,
    WITHIN_ITEM,
    traits_of,
)
from stream_nb.kernels.jit import borrowing, inlined

HEADS = 256
IN_BODY = 3
"""Open elements with the document, ``html`` and ``body``."""
_MOST_STEPS = 64
_HEADINGS, _SECTIONS = keys("h1 h2 h3 h4 h5 h6"), keys("tbody tfoot thead")
A, BODY, HEAD = key("a"), key("body"), key("head")
_P, _LI, _DD, _DT = (key(name) for name in "p li dd dt".split())
_OPTION, _SELECT, _TABLE, _TBODY, _TR, _TD, _TH = (key(name) for name in "option select table tbody tr td th".split())


KIND, START, END, ROW = range(4)
"""Columns of an active formatting element: its name, or MARK; where its tag begins and ends in the document; its row,
or 0 if it is not open."""
MARK = 0
ACTIVE, REREAD = range(2)
"""Columns of the counts: active formatting elements, and bytes of tags that were read again."""


class OpenElements(NamedTuple):
    """The stack of open elements: a row for each (int64[:, STATE], laid out in `html.style`; row 0 is the document);
    for each hash of a name, the innermost one with that hash, whose column PREVIOUS has the next one; and the active
    formatting elements (see `html.formatting`)."""

    rows: Any
    heads: Any
    active: Any
    counts: Any


@borrowing
def innermost(name, rows, heads):
    """Return the innermost open element of a name, or 0."""
    at = heads[name & (HEADS - 1)]
    for _ in range(_MOST_STEPS):
        if at == 0 or rows[at, NAME] == name:
            return at
        at = rows[at, PREVIOUS]
    return 0


@borrowing
def cut(at, depth, elements):
    """Close the element at `at` and all elements within it; return how many are left open.

    Formatting elements stay active, but for those after a mark whose element is closed.
    """
    rows, heads, active, counts = elements
    for k in range(depth - 1, at - 1, -1):
        heads[rows[k, NAME] & (HEADS - 1)] = rows[k, PREVIOUS]
    for k in range(counts[ACTIVE] - 1, -1, -1):
        row = active[k, ROW]
        if row >= at:
            if active[k, KIND] == MARK:
                counts[ACTIVE] = k
            active[k, ROW] = 0
        elif row > 0:
            break
    return at


@borrowing
def close_for(name, traits, depth, elements):
    """Close the elements that the start tag of an element ends; return how many are left open."""
    rows, heads = elements.rows, elements.heads
    if traits & ENDS_LIKE:
        at, within = 0, max(rows[depth - 1, ITEM_SCOPE] - 1, 0)
        if name == _LI:
            at = innermost(_LI, rows, heads)
        elif name == _DD or name == _DT:
            at = max(innermost(_DD, rows, heads), innermost(_DT, rows, heads))
        elif name == _OPTION:
            at, within = innermost(_OPTION, rows, heads), innermost(_SELECT, rows, heads)
        else:
            within = innermost(_TABLE, rows, heads)
            around = within
            if not traits & SECTION:
                for section in _SECTIONS:
                    around = max(around, innermost(section, rows, heads))
                if name != _TR:
                    around = max(around, innermost(_TR, rows, heads))
            at = around + 1 if 0 < around < depth - 1 else 0
        if at > within:
            depth = cut(at, depth, elements)
    elif name == _TABLE:
        within = innermost(_TABLE, rows, heads)
        if 0 < within == rows[depth - 1, SCOPE]:  # not within a cell
            depth = cut(within, depth, elements)
    if traits & ENDS_P:
        at = innermost(_P, rows, heads)
        if at > rows[depth - 1, SCOPE]:
            depth = cut(at, depth, elements)
    if traits & HEADING and traits_of(rows[depth - 1, NAME]) & HEADING:
        depth = cut(depth - 1, depth, elements)
    return depth


@borrowing
def close(name, traits, depth, elements):
    """Close the element that an end tag ends, if it is open; return how many are left open."""
    rows, heads = elements.rows, elements.heads
    if traits & NOT_CLOSED:
        return depth
    at = innermost(name, rows, heads)
    if traits & HEADING:
        for heading in _HEADINGS:
            at = max(at, innermost(heading, rows, heads))
    within = rows[depth - 1, SCOPE]
    if traits & TABLE_PART:
        within = innermost(_TABLE, rows, heads) - int(name == _TABLE)
    elif at == within:  # the scope itself
        within -= 1
    elif not traits & SPECIAL:
        within = max(within, rows[depth - 1, SPECIAL_AT])
    return cut(at, depth, elements) if at > max(within, 0) else depth


@inlined
def is_ignored(name, traits, depth, elements):
    """Return whether a start tag has no effect: a part of a table outside of tables, of ``head`` before ``body``, or a
    second ``html``."""
    if traits & IN_TABLE and traits & TABLE_PART:
        return innermost(_TABLE, elements.rows, elements.heads) == 0
    return (traits & OF_HEAD != 0 and depth < IN_BODY) or (name == HTML and depth > 1)


@borrowing
def parent_of(traits, depth, rows):
    """Return the row of the element that gets a new element."""
    return depth - 1 if traits & IN_TABLE else rows[depth - 1, FOSTER]


@borrowing
def between(name, parent):
    """Return the name of the element that a browser adds between the elements of these names, or 0; the document has
    the name 0."""
    if parent == 0:
        return 0 if name == HTML else HTML
    if parent == HTML:
        return 0 if name == BODY else BODY
    in_row = name == _TD or name == _TH
    if parent == _TABLE and (in_row or name == _TR):
        return _TBODY
    return _TR if in_row and traits_of(parent) & SECTION else 0


@inlined
def open_element(name, start, traits, parent, depth, elements):
    """Open an element within the row `parent`, with the state that it inherits; return how many are open."""
    rows, heads, _, _ = elements
    for column in range(STATE):
        rows[depth, column] = rows[parent, column]
    rows[depth, NAME], rows[depth, TAG_AT] = name, start
    rows[depth, PREVIOUS] = heads[name & (HEADS - 1)]
    heads[name & (HEADS - 1)] = depth
    rows[depth, ITEM], rows[depth, ITEMS] = rows[parent, ITEMS], 0
    rows[depth, ENDS_WORD] = int(traits & BREAK != 0 or rows[parent, ITEMS] == 1)
    if traits & SCOPE_MARK:
        rows[depth, SCOPE] = depth
    else:
        rows[depth, SCOPE] = rows[depth - 1, SCOPE]
    rows[depth, SPECIAL_AT] = depth if traits & SPECIAL else rows[depth - 1, SPECIAL_AT]
    rows[depth, ITEM_SCOPE] = depth if traits & SPECIAL and not traits & WITHIN_ITEM else rows[depth - 1, ITEM_SCOPE]
    if name == _TABLE:
        rows[depth, FOSTER], rows[depth, INDENTED] = parent, 0
    elif name == _TR or traits & SECTION:
        rows[depth, FOSTER] = rows[depth - 1, FOSTER]
    else:
        rows[depth, FOSTER] = depth
    return depth + 1
