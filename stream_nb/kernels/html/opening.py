"""Start tags -> open elements, with those that a browser adds, and what they declare (compiled)."""

# pyright: basic

from stream_nb.kernels.css.colours import OPAQUE, legacy_colour
from stream_nb.kernels.css.conditions import POSITION, find_conditions
from stream_nb.kernels.css.declarations import read_declarations
from stream_nb.kernels.css.layout import STYLE_PROPERTIES
from stream_nb.kernels.css.names import (
    ATTRIBUTE_MARK,
    CLASS_MARK,
    EVERY,
    HTML,
    ID_MARK,
    LINK,
    add_found,
    find_name,
    find_names,
)
from stream_nb.kernels.css.properties import (
    BACKGROUND,
    BLOCK_BOX,
    COLOUR,
    DISPLAY,
    INLINE_BOX,
    MEDIUM,
    NO_BOX,
    SIZE,
    SMALLER,
    TABLE_BOX,
)
from stream_nb.kernels.css.rules import AROUND, BEFORE, CHILDREN, JUST_BEFORE, PARENT, select
from stream_nb.kernels.css.sheets import INLINE
from stream_nb.kernels.css.syntax import NOTHING, add_to_key, key, read_number, skip_blank
from stream_nb.kernels.html.boxes import SMALLEST
from stream_nb.kernels.html.elements import HEAD, IN_BODY, A, between, open_element, parent_of
from stream_nb.kernels.html.style import CUT, LETTERS, LINE, LINKED, NAME, ROOM, TALL, declare_state
from stream_nb.kernels.html.tags import (
    ATTRIBUTES,
    CLASS,
    FIRST_ATTRIBUTE,
    FONT_SIZE,
    HIDDEN,
    ID,
    INK,
    LINK_INK,
    PAPER,
    STYLE,
    TAG_NAME,
    TARGETS,
    blank_tag,
    decode,
)
from stream_nb.kernels.html.traits import (
    BREAK,
    CONTROL,
    MARKED,
    NEVER_SHOWN,
    SMALL,
    TABLE_PART,
    WITHOUT_MARKUP,
    traits_of,
)
from stream_nb.kernels.jit import borrowing, inlined

_FACE_COLOUR, _MARK_COLOUR = OPAQUE + 0xEFEFEF, OPAQUE + 0xFFFF00
_CAPTION = key("caption")


@inlined
def open_tag(data, start, tag, added, traits, depth, elements, styles):
    """Open the elements that a browser adds around the start tag that begins at `start`, then its own; return how many
    are open. `added` is overwritten."""
    rows, styled = elements.rows, styles.entries.shape[0] > 0
    while True:
        around = rows[depth - 1, NAME]
        name = between(tag[TAG_NAME], around) if styled or depth < IN_BODY else 0
        if styled and around == HTML and rows[depth - 1, CHILDREN] == 0:
            name = HEAD
        at, opened, own = start, tag, traits
        if name != 0:
            blank_tag(name, added)
            at, opened, own = -1, added, traits_of(name)
        depth = open_one(data, at, opened, own, depth, elements, styles)
        if name == 0:
            return depth


@inlined
def open_one(data, start, tag, traits, depth, elements, styles):
    """Open the element of a tag if it has content, and apply what its attributes, style sheets and its inline style
    declare; return how many are open."""
    rows = elements.rows
    parent = parent_of(traits, depth, rows)
    if traits & WITHOUT_MARKUP:
        if styles.entries.shape[0] > 0:
            _select(data, tag, rows[parent], styles)
        return depth
    depth = open_element(tag[TAG_NAME], start, traits, parent, depth, elements)
    around = rows[depth - 1, TALL]
    if traits & BREAK:
        rows[depth - 1, TALL] = 0
    styled = tag[HIDDEN] == 1 or tag[STYLE + 1] > 0 or tag[INK + 1] > 0 or tag[PAPER + 1] > 0
    if (
        styled
        or tag[LINK_INK + 1] > 0
        or (tag[FONT_SIZE + 1] > 0 and rows[depth - 1, LETTERS] < SMALLEST)
        or traits & (NEVER_SHOWN | CONTROL | MARKED | SMALL)
        or (tag[TAG_NAME] == A and tag[TARGETS] > 0)
        or styles.entries.shape[0] > 0
    ):
        room = _style(data, tag, traits, around, rows[parent], rows[depth - 1], styles)
        cut = rows[parent, CUT]
        if rows[cut, LINE] > 0:
            cut = 0  # it limits no areas
        if room < rows[cut, ROOM] and (rows[depth - 1, LINE] == 0 or cut == 0):
            rows[cut, ROOM] -= room
            rows[depth - 1, CUT], rows[depth - 1, ROOM] = depth - 1, room
    return depth


@borrowing
def _style(data, tag, traits, around, relatives, state, styles):
    """Apply what the attributes of an element, style sheets and its inline style declare; return the area in which it
    shows text.

    `around` is the declared height of the block around it, 0 if its content determines it.
    """
    entries, _, _, values, ranks, css = styles
    for p in range(STYLE_PROPERTIES):
        ranks[p] = -1
    if tag[TAG_NAME] == A and tag[TARGETS] > 0:
        values[COLOUR], ranks[COLOUR] = state[LINKED], 0
    if traits & CONTROL:
        for prop, value in ((COLOUR, OPAQUE), (BACKGROUND, _FACE_COLOUR), (SIZE, MEDIUM)):
            values[prop], ranks[prop] = value, 0
    if traits & MARKED:
        for prop, value in ((COLOUR, OPAQUE), (BACKGROUND, _MARK_COLOUR)):
            values[prop], ranks[prop] = value, 0
    if traits & SMALL:
        values[SIZE], ranks[SIZE] = -SMALLER, 0
    if tag[HIDDEN] == 1 or traits & NEVER_SHOWN:
        values[DISPLAY], ranks[DISPLAY] = NO_BOX, 1
    if entries.shape[0] > 0:
        bits = _select(data, tag, relatives, styles)
        state[AROUND] |= bits
        state[PARENT] = bits
        for column in (JUST_BEFORE, BEFORE, CHILDREN):
            state[column] = 0
    for at, prop in ((INK, COLOUR), (PAPER, BACKGROUND)):
        if tag[at + 1] > 0:
            n = decode(data, tag[at], tag[at + 1], css, 0)
            known, colour = legacy_colour(css, 0, n)
            if known and ranks[prop] <= 1:
                values[prop], ranks[prop] = colour, 1
    if tag[LINK_INK + 1] > 0:
        n = decode(data, tag[LINK_INK], tag[LINK_INK + 1], css, 0)
        known, colour = legacy_colour(css, 0, n)
        state[LINKED] = colour if known else state[LINKED]
    if tag[FONT_SIZE + 1] > 0 and ranks[SIZE] <= 1:
        n = decode(data, tag[FONT_SIZE], tag[FONT_SIZE + 1], css, 0)
        kind, _, _ = read_number(css, skip_blank(css, 0, n), n)
        if kind != NOTHING:
            values[SIZE], ranks[SIZE] = MEDIUM, 1
    if tag[STYLE + 1] > 0:
        n = decode(data, tag[STYLE], tag[STYLE + 1], css, 0)
        read_declarations(css, 0, n, INLINE, values, ranks, False)
    is_part = traits & TABLE_PART and tag[TAG_NAME] != _CAPTION
    box = TABLE_BOX if is_part else BLOCK_BOX if traits & BREAK else INLINE_BOX
    return declare_state(values, ranks, around, box, state)


@borrowing
def _select(data, tag, relatives, styles):
    """Apply style sheets to an element; return its bits (see `css.rules.select`)."""
    entries, _, found, _, _, css = styles
    n = add_found(find_name(EVERY, entries), found, 0)
    n = add_found(find_name(tag[TAG_NAME], entries), found, n)
    if tag[TAG_NAME] == A and tag[TARGETS] > 0:
        n = add_found(find_name(LINK, entries), found, n)
    n = find_conditions(POSITION, css, relatives[CHILDREN] + 1, entries, found, n)
    for k in range(tag[ATTRIBUTES]):
        at = FIRST_ATTRIBUTE + 3 * k
        asked = add_to_key(tag[at], ATTRIBUTE_MARK)
        is_new = find_name(asked, entries) >= 0
        for earlier in range(FIRST_ATTRIBUTE, at if is_new else 0, 3):
            is_new = is_new and tag[earlier] != tag[at]
        if is_new:
            size = decode(data, tag[at + 1], tag[at + 2], css, 0)
            n = find_conditions(asked, css, size, entries, found, n)
    for at in (ID, CLASS):
        size = decode(data, tag[at], tag[at + 1], css, 0)
        n = find_names(css, size, CLASS_MARK if at == CLASS else ID_MARK, entries, found, n)
    return select(n, relatives, styles)
