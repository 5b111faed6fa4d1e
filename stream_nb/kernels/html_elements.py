"""The stack of open elements of an HTML document, and what opens and closes them (compiled).

Follows the tree construction of the HTML standard as far as it decides which element contains which: optional end tags,
end tags that have no effect outside of their table cell, and content of a table outside of its cells, which is shown
before the table (foster parenting). Elements that are closed in the wrong order are not reopened. The element ``head``
is like an empty one.

Rows of `open_elements` (int64[:, STATE]) are laid out in `html_style`; row 0 is the document. For each hash of a name,
`heads` has the innermost open element with that hash, and its column PREVIOUS the next one. Source: WHATWG, HTML,
13.2.6 Tree construction.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css_names import HTML
from stream_nb.kernels.css_syntax import key, keys
from stream_nb.kernels.html_characters import index
from stream_nb.kernels.html_style import FOSTER, NAME, PREVIOUS, SCOPE, STATE
from stream_nb.kernels.jit import borrowing

HEADS = 256
_MOST_STEPS = 64
(BREAK, VOID, RAW, RAW_TEXT, NEVER_SHOWN, ENDS_P, SCOPE_MARK, IN_TABLE, TABLE_PART, CELL, SECTION, HEADING, ENDS_LIKE,
 NOT_CLOSED, OF_HEAD) = (1 << bit for bit in range(15))  # fmt: skip
_NAMES = {
    BREAK: "address article aside body br button caption center col dd details dir div dl dt fieldset figure footer"
    " form h1 h2 h3 h4 h5 h6 head header hr html iframe img input legend li link main map menu meta nav object ol"
    " option p pre section select table tbody td textarea tfoot th thead title tr ul",
    VOID: "area base br col embed head hr img input link meta param source track wbr",
    RAW: "iframe noembed noframes script style title",
    RAW_TEXT: "iframe noembed noframes title",
    NEVER_SHOWN: "audio datalist dialog template video",
    ENDS_P: "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form"
    " h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section summary table ul li dd dt",
    SCOPE_MARK: "applet button caption marquee object table td template th",
    IN_TABLE: "caption col colgroup script style tbody td template tfoot th thead tr",
    TABLE_PART: "caption table tbody td tfoot th thead tr",
    CELL: "td th",
    SECTION: "tbody tfoot thead",
    HEADING: "h1 h2 h3 h4 h5 h6",
    ENDS_LIKE: "li dd dt option tr td th tbody tfoot thead",
    NOT_CLOSED: "body html",
    OF_HEAD: "base head link meta script style title",
}
_TRAITS = np.array(
    sorted(
        (key(name), sum(trait for trait, names in _NAMES.items() if name in names.split()))
        for name in {name for names in _NAMES.values() for name in names.split()}
    ),
    np.int64,
)
_TRAIT_KEYS, _TRAIT_SETS = np.ascontiguousarray(_TRAITS[:, 0]), np.ascontiguousarray(_TRAITS[:, 1])
_HEADINGS = keys(_NAMES[HEADING])
BODY, HEAD = key("body"), key("head")
_P, _LI, _OL, _UL, _DD, _DT, _DL = (key(name) for name in "p li ol ul dd dt dl".split())
_OPTION, _SELECT, _TABLE, _TBODY, _TR, _TD, _TH = (key(name) for name in "option select table tbody tr td th".split())


@borrowing
def traits_of(name):
    """Return the traits of an element by its name, as a sum of BREAK (its tags end a word), VOID (it has no content),
    RAW (its content has no markup), RAW_TEXT (its content is hidden text) and so on."""
    at = index(_TRAIT_KEYS, name)
    if at < 0:
        return 0
    return _TRAIT_SETS[at]


@borrowing
def innermost(name, open_elements, heads):
    """Return the innermost open element of a name, or 0."""
    at = heads[name & (HEADS - 1)]
    for _ in range(_MOST_STEPS):
        if at == 0 or open_elements[at, NAME] == name:
            return at
        at = open_elements[at, PREVIOUS]
    return 0


@borrowing
def _cut(at, depth, open_elements, heads):
    """Close the element at `at` and all elements within it; return how many are left open."""
    for k in range(depth - 1, at - 1, -1):
        heads[open_elements[k, NAME] & (HEADS - 1)] = open_elements[k, PREVIOUS]
    return at


@borrowing
def close_for(name, traits, depth, open_elements, heads):
    """Close the elements that the start tag of an element ends; return how many are left open."""
    if traits & ENDS_LIKE:
        at, within = 0, open_elements[depth - 1, SCOPE]
        if name == _LI:
            at = innermost(_LI, open_elements, heads)
            within = max(within, max(innermost(_UL, open_elements, heads), innermost(_OL, open_elements, heads)))
        elif name == _DD or name == _DT:
            at = max(innermost(_DD, open_elements, heads), innermost(_DT, open_elements, heads))
            within = max(within, innermost(_DL, open_elements, heads))
        elif name == _OPTION:
            at, within = innermost(_OPTION, open_elements, heads), innermost(_SELECT, open_elements, heads)
        else:
            within = innermost(_TABLE, open_elements, heads)
            if within > 0 and traits & SECTION:
                at = within + 1 if within + 1 < depth else 0
            elif within > 0:
                at = innermost(_TR, open_elements, heads) if name == _TR else 0
                if at <= within:
                    at = max(innermost(_TD, open_elements, heads), innermost(_TH, open_elements, heads))
        if at > within:
            depth = _cut(at, depth, open_elements, heads)
    if traits & ENDS_P:
        at = innermost(_P, open_elements, heads)
        if at > open_elements[depth - 1, SCOPE]:
            depth = _cut(at, depth, open_elements, heads)
    return depth


@borrowing
def close(name, traits, depth, open_elements, heads):
    """Close the element that an end tag ends, if it is open; return how many are left open."""
    if traits & NOT_CLOSED:
        return depth
    at = innermost(name, open_elements, heads)
    if traits & HEADING:
        for heading in _HEADINGS:
            at = max(at, innermost(heading, open_elements, heads))
    within = open_elements[depth - 1, SCOPE]
    if traits & TABLE_PART:
        within = innermost(_TABLE, open_elements, heads) - int(name == _TABLE)
    elif at == within:  # the scope itself
        within -= 1
    return _cut(at, depth, open_elements, heads) if at > max(within, 0) else depth


@borrowing
def parent_of(traits, depth, open_elements):
    """Return the row of the element that gets a new element."""
    return depth - 1 if traits & IN_TABLE else open_elements[depth - 1, FOSTER]


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


@borrowing
def open_element(name, traits, parent, depth, open_elements, heads):
    """Open an element within the row `parent`, with the state that it inherits; return how many are open."""
    for column in range(STATE):
        open_elements[depth, column] = open_elements[parent, column]
    open_elements[depth, NAME] = name
    open_elements[depth, PREVIOUS] = heads[name & (HEADS - 1)]
    heads[name & (HEADS - 1)] = depth
    if traits & SCOPE_MARK:
        open_elements[depth, SCOPE] = depth
    else:
        open_elements[depth, SCOPE] = open_elements[depth - 1, SCOPE]
    if name == _TABLE:
        open_elements[depth, FOSTER] = parent
    elif name == _TR or traits & SECTION:
        open_elements[depth, FOSTER] = open_elements[depth - 1, FOSTER]
    else:
        open_elements[depth, FOSTER] = depth
    return depth + 1
