"""The inherited and declared style of an element -> whether its text is visible (compiled).

Text is hidden if it is not displayed (display, visibility, opacity below 0.1), smaller than 3 px, of letters that cover
each other, nearly a colour of its background like its shadow (no channel differs by 32 of 255), blended so that it
leaves a white or black one as it is, moved far away, or clipped to less than 3 px or a third of a letter, also by the
height of its lines, or below what a box shows that cuts it off, if a character takes a third of the square of its
size. These have no effect: a background picture, because many mail programs load none; a percentage of a height that
the content determines, the size of an inline element, the height of a table or a cell, which its content widens, and an
indent after a line break. Each open element has a row of state (int64[STATE]).
"""

# pyright: basic

from stream_nb.kernels.css.backgrounds import darkest_of, lightest_of
from stream_nb.kernels.css.boxes import FAR, WIDEST
from stream_nb.kernels.css.colours import CURRENT, OPAQUE, blend, least, most
from stream_nb.kernels.css.layout import STYLE_PROPERTIES
from stream_nb.kernels.css.properties import (
    ABSOLUTE,
    AS_PARENT,
    AUTO,
    BACKGROUND,
    BLEND,
    BLOCK_BOX,
    COLOUR,
    CUT_OFF,
    DISPLAY,
    FILL,
    FLEX,
    FLOAT,
    GRADIENT,
    HEIGHT,
    INDENT,
    INLINE_BOX,
    INVERTS,
    KEEPS_BLACK,
    KEEPS_WHITE,
    LINE_HEIGHT,
    MAX_HEIGHT,
    MIN_HEIGHT,
    MOVED,
    NO_BOX,
    NORMAL_LINE,
    OF_LETTERS,
    OPACITY,
    OVERFLOW_X,
    POSITION,
    SHADOW,
    SIZE,
    SPACING,
    TABLE_BOX,
    TEXT_ONLY,
    VISIBILITY,
    WHITE_SPACE,
)
from stream_nb.kernels.css.rules import RELATIVES
from stream_nb.kernels.css.syntax import UNIT
from stream_nb.kernels.html.boxes import (
    SMALLEST,
    UNLIMITED,
    WINDOW,
    crops_lines,
    declared,
    is_away,
    is_clipped,
    room_in,
    width_of,
)
from stream_nb.kernels.jit import borrowing

(
    NAME, TAG_AT, PREVIOUS, SCOPE, SPECIAL_AT, ITEM_SCOPE, FOSTER, GONE, UNSEEN, LETTERS, INK, PAPER, LIGHTEST,
    OPAQUENESS, INDENTED, SHOWN, TALL, FILLED, SHADED, ENDS_WORD, ITEM, ITEMS, SPACED, LINKED, CUT, ROOM,
    LINE, NOWRAP, LEADING, CROPPED, REACH,
) = range(RELATIVES, RELATIVES + 31)  # fmt: skip
STATE = RELATIVES + 31
"""The columns of a row; the first ones are laid out in `css.rules`. PAPER and LIGHTEST: the least and the most red,
green and blue of the background; ENDS_WORD: a word ends where the element begins and ends; ITEM and ITEMS: the element
is, or contains, boxes beside each other; LINKED: the colour of links; CUT: the row of the box that cuts off what is
below it, or lines that do not wrap, or 0; ROOM: the area that is left in such a box, in 1/1000 px squared, or the width
that is left in its line; LINE: the width of its lines, or 0; NOWRAP: lines only end at tags; LEADING: the height of
lines (`css.properties`); CROPPED: what is above and below the lines is cut off; REACH: how far to the right text can be
and be seen."""
NOT_DISPLAYED, _OUT_OF_SIGHT = 1, 2
"""Values of GONE: an element that is not displayed takes no room, so that it does not end a word around it."""
_NARROWEST = -35 * UNIT // 100
_FAINTEST = UNIT // 10
_CLOSEST, _LIGHT = 32, 0xE0E0E0
_LARGEST = 1000 * UNIT


@borrowing
def start_state(state):
    """Fill the initial state of a document: black on white, 16 px."""
    for column in range(STATE):
        state[column] = 0
    state[LETTERS], state[OPAQUENESS], state[SHOWN], state[ROOM] = 16 * UNIT, UNIT, 1, UNLIMITED
    state[INK], state[PAPER], state[LIGHTEST] = OPAQUE, OPAQUE + 0xFFFFFF, OPAQUE + 0xFFFFFF
    state[LEADING], state[REACH] = NORMAL_LINE, WIDEST
    state[FILLED], state[LINKED] = CURRENT, OPAQUE + 0x0000EE


@borrowing
def declare_state(values, ranks, around, box, state):
    """Apply declarations to the inherited state of an element; a property of negative rank is not declared.

    `around` is the declared height of the block around the element, 0 if its content determines it; `box` is the
    `display` that the element has by its name. Return the room in which the element shows text, or UNLIMITED.
    """
    for p in range(STYLE_PROPERTIES):
        if values[p] == AS_PARENT:
            ranks[p] = -1
    for p in (HEIGHT, MAX_HEIGHT, MIN_HEIGHT):
        if ranks[p] >= 0 and values[p] < 0:  # a percentage
            values[p] = around * (-1 - values[p]) // UNIT
            ranks[p] = ranks[p] if around > 0 else -1
    if ranks[HEIGHT] >= 0 and values[HEIGHT] < AUTO:
        state[TALL] = min(values[HEIGHT], _LARGEST)
    if ranks[DISPLAY] >= 0:
        box, state[ITEMS] = values[DISPLAY] % FLEX, values[DISPLAY] // FLEX
        state[ENDS_WORD] = int(box == BLOCK_BOX or box == TABLE_BOX or state[ITEM] == 1)
        if box == NO_BOX:
            state[GONE] = NOT_DISPLAYED
    floats = ranks[FLOAT] >= 0 and values[FLOAT] == 1
    is_placed = ranks[POSITION] >= 0 and values[POSITION] == ABSOLUTE
    if box == INLINE_BOX and (floats or is_placed or state[ITEM] == 1):
        box = BLOCK_BOX
    if ranks[WHITE_SPACE] >= 0:
        state[NOWRAP] = values[WHITE_SPACE]
    if ranks[VISIBILITY] >= 0:
        state[UNSEEN] = values[VISIBILITY]
    if ranks[OPACITY] >= 0:
        state[OPAQUENESS] = state[OPAQUENESS] * min(max(values[OPACITY], 0), UNIT) // UNIT
    if ranks[SIZE] >= 0:
        size = values[SIZE]
        state[LETTERS] = min(size if size >= 0 else state[LETTERS] * -size // UNIT, _LARGEST)
    if ranks[SPACING] >= 0:
        space = values[SPACING]
        state[SPACED] = space if space < OF_LETTERS // 2 else state[LETTERS] * (space - OF_LETTERS) // UNIT
    if ranks[LINE_HEIGHT] >= 0:
        height = values[LINE_HEIGHT]
        state[LEADING] = height if height >= 0 else state[LETTERS] * -height // UNIT
    if ranks[COLOUR] >= 0:
        state[INK] = values[COLOUR]
    if ranks[FILL] >= 0:
        state[FILLED] = values[FILL]
    if ranks[SHADOW] >= 0:
        state[SHADED] = state[INK] if values[SHADOW] == CURRENT else values[SHADOW]
    if ranks[BLEND] >= 0 and _blends_away(values[BLEND], state) and state[GONE] == 0:
        state[GONE] = _OUT_OF_SIGHT
    if ranks[BACKGROUND] >= 0 or ranks[GRADIENT] >= 0:
        _paint(values, ranks, state)
    if ranks[INDENT] >= 0 and box != INLINE_BOX:
        cuts = state[NOWRAP] == 1 and declared(OVERFLOW_X, values, ranks) == CUT_OFF
        most = min(width_of(values, ranks), WINDOW) if cuts else WIDEST
        state[INDENTED] = int(values[INDENT] <= -FAR or values[INDENT] >= most)
    line = state[LEADING]
    if line >= OF_LETTERS // 2:
        line = state[LETTERS] * (line - OF_LETTERS) // UNIT
    is_flat = line < max(SMALLEST, state[LETTERS] // 3)
    if box != INLINE_BOX and box != TABLE_BOX:
        state[CROPPED] = int(is_flat and crops_lines(values, ranks, state[CROPPED] == 1))
        state[REACH] = WINDOW if declared(OVERFLOW_X, values, ranks) == CUT_OFF else state[REACH]
    if state[GONE] == 0 and (
        is_clipped(values, ranks, box, state[LETTERS]) or is_away(values, ranks, box, state[REACH])
    ):
        state[GONE] = _OUT_OF_SIGHT
    state[SHOWN] = int(
        state[GONE] == 0
        and state[UNSEEN] == 0
        and state[OPAQUENESS] >= _FAINTEST
        and state[LETTERS] >= SMALLEST
        and not (is_flat and state[CROPPED] == 1)
        and state[SPACED] >= state[LETTERS] * _NARROWEST // UNIT
        and (_differ(state[INK] if state[FILLED] == CURRENT else state[FILLED], state) or _differ(state[SHADED], state))
    )
    room, is_width = room_in(values, ranks, box, state[LETTERS], line)
    state[LINE] = room if is_width else 0
    return room


@borrowing
def _blends_away(effect, state):
    """Return whether an element that is blended with what is below it leaves that as it is. If it inverts that, it is
    like an element on black."""
    if effect == INVERTS:
        state[PAPER], state[LIGHTEST] = OPAQUE, OPAQUE
    keeps_white, keeps_black = effect & KEEPS_WHITE != 0, effect & KEEPS_BLACK != 0
    return (keeps_white and state[PAPER] & _LIGHT == _LIGHT) or (keeps_black and state[LIGHTEST] & _LIGHT == 0)


@borrowing
def _paint(values, ranks, state):
    """Put the background of an element behind its text, or into its letters."""
    colour, gradient = declared(BACKGROUND, values, ranks), declared(GRADIENT, values, ranks)
    colour = state[INK] if colour == CURRENT else colour
    light, dark = lightest_of(gradient), darkest_of(gradient)
    if declared(TEXT_ONLY, values, ranks) == 1:
        state[SHADED] = light if gradient > 0 else colour
        return
    for column in (PAPER, LIGHTEST):
        state[column] = blend(colour, state[column])
    if gradient > 0:
        over = dark & 0xFFFFFF if declared(MOVED, values, ranks) == 1 else dark
        state[PAPER] = least(OPAQUE | dark, blend(over, state[PAPER]))
        state[LIGHTEST] = most(light, blend(over & OPAQUE | light & 0xFFFFFF, state[LIGHTEST]))


@borrowing
def _differ(ink, state):
    """Return whether a colour is visible on each colour of its background."""
    on_dark, on_light = blend(ink, state[PAPER]), blend(ink, state[LIGHTEST])
    for shift in (16, 8, 0):
        below = (state[PAPER] >> shift & 255) - (on_dark >> shift & 255)
        above = (on_light >> shift & 255) - (state[LIGHTEST] >> shift & 255)
        if max(below, above) >= _CLOSEST:
            return True
    return False
