"""The inherited and declared style of an element -> whether its text is visible (compiled).

Text is hidden if it is not displayed (display, visibility, opacity below 0.1), smaller than 3 px, of letters that cover
each other, nearly a colour of its background like its shadow (no channel differs by 32 of 255), moved far away, or
clipped to less than 3 px or a third of a letter, or below what a box shows that cuts it off, if a byte takes a quarter
of the square of its letter's size. These have no effect: a background picture, because many mail programs load none;
a percentage of a height that the content determines, the size of an inline element, the height of a table or a cell,
which its content widens, and an indent after a line break. Each open element has a row of state (int64[STATE]).
"""

# pyright: basic

from stream_nb.kernels.css.backgrounds import darkest_of, lightest_of
from stream_nb.kernels.css.boxes import FAR
from stream_nb.kernels.css.colours import CURRENT, OPAQUE, blend, least, most
from stream_nb.kernels.css.layout import STYLE_PROPERTIES
from stream_nb.kernels.css.properties import (
    ABSOLUTE,
    AS_PARENT,
    AUTO,
    BACKGROUND,
    BLOCK_BOX,
    CLIP,
    CLIP_PATH,
    COLOUR,
    CONTENT_VISIBILITY,
    DISPLAY,
    FILL,
    FLEX,
    FLOAT,
    GRADIENT,
    HEIGHT,
    INDENT,
    INITIAL,
    INLINE_BOX,
    MARGIN_LEFT,
    MARGIN_TOP,
    MAX_HEIGHT,
    MAX_WIDTH,
    MIN_HEIGHT,
    MIN_WIDTH,
    MOVED,
    NO_BOX,
    OF_LETTERS,
    OPACITY,
    OVERFLOW_X,
    OVERFLOW_Y,
    PADDING_BOTTOM,
    PADDING_RIGHT,
    POSITION,
    SHADOW,
    SIZE,
    SPACING,
    TABLE_BOX,
    TEXT_ONLY,
    TOP,
    TRANSFORM,
    VISIBILITY,
    WIDTH,
    ZOOM,
)
from stream_nb.kernels.css.rules import RELATIVES
from stream_nb.kernels.css.syntax import UNIT
from stream_nb.kernels.jit import borrowing

(
    NAME, TAG_AT, PREVIOUS, SCOPE, SPECIAL_AT, ITEM_SCOPE, FOSTER, GONE, UNSEEN, LETTERS, INK, PAPER, LIGHTEST,
    OPAQUENESS, INDENTED, SHOWN, TALL, FILLED, SHADED, ENDS_WORD, ITEM, ITEMS, SPACED, LINKED, CUT, ROOM,
) = range(RELATIVES, RELATIVES + 26)  # fmt: skip
STATE = RELATIVES + 26
"""The columns of a row; the first ones are laid out in `css.rules`. PAPER and LIGHTEST: the least and the most red,
green and blue of the background; ENDS_WORD: a word ends where the element begins and ends; ITEM and ITEMS: the element
is, or contains, boxes beside each other; LINKED: the colour of links; CUT: the row of the box that cuts off what is
below it, or 0; ROOM: the area that is left in such a box, in 1/1000 px squared."""
NOT_DISPLAYED, _OUT_OF_SIGHT = 1, 2
"""Values of GONE: an element that is not displayed takes no room, so that it does not end a word around it."""
SMALLEST = 3 * UNIT
_NARROWEST = -35 * UNIT // 100
UNLIMITED = 1 << 60
_FAINTEST = UNIT // 10
_CLOSEST = 32
_WIDEST = 3000 * UNIT
_LARGEST = 1000 * UNIT


@borrowing
def start_state(state):
    """Fill the initial state of a document: black on white, 16 px."""
    for column in range(STATE):
        state[column] = 0
    state[LETTERS], state[OPAQUENESS], state[SHOWN], state[ROOM] = 16 * UNIT, UNIT, 1, UNLIMITED
    state[INK], state[PAPER], state[LIGHTEST] = OPAQUE, OPAQUE + 0xFFFFFF, OPAQUE + 0xFFFFFF
    state[FILLED], state[LINKED] = CURRENT, OPAQUE + 0x0000EE


@borrowing
def declare_state(values, ranks, around, box, state):
    """Apply declarations to the inherited state of an element; a property of negative rank is not declared.

    `around` is the declared height of the block around the element, 0 if its content determines it; `box` is the
    `display` that the element has by its name. Return the area in which the element shows text, or UNLIMITED.
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
    if ranks[COLOUR] >= 0:
        state[INK] = values[COLOUR]
    if ranks[FILL] >= 0:
        state[FILLED] = values[FILL]
    if ranks[SHADOW] >= 0:
        state[SHADED] = state[INK] if values[SHADOW] == CURRENT else values[SHADOW]
    if ranks[BACKGROUND] >= 0 or ranks[GRADIENT] >= 0:
        _paint(values, ranks, state)
    if ranks[INDENT] >= 0 and box != INLINE_BOX:
        state[INDENTED] = int(values[INDENT] <= -FAR or values[INDENT] >= _WIDEST)
    if state[GONE] == 0 and (_is_clipped(values, ranks, box, state[LETTERS]) or _is_away(values, ranks, box)):
        state[GONE] = _OUT_OF_SIGHT
    state[SHOWN] = int(
        state[GONE] == 0
        and state[UNSEEN] == 0
        and state[OPAQUENESS] >= _FAINTEST
        and state[LETTERS] >= SMALLEST
        and state[SPACED] >= state[LETTERS] * _NARROWEST // UNIT
        and (_differ(state[INK] if state[FILLED] == CURRENT else state[FILLED], state) or _differ(state[SHADED], state))
    )
    return _room_in(values, ranks, box, state[LETTERS])


@borrowing
def room_of(letters):
    """Return the least area that a byte of text takes: a quarter of a square of the size of its letters."""
    return max(letters * letters >> 2, 1)


@borrowing
def _declared(p, values, ranks):
    return values[p] if ranks[p] >= 0 else INITIAL[p]


@borrowing
def _extent(size, most, least, padding, values, ranks):
    """Return the height or the width that is declared for a box, at most _LARGEST."""
    own = max(min(_declared(size, values, ranks), _declared(most, values, ranks)), _declared(least, values, ranks))
    return min(own + _declared(padding, values, ranks), _LARGEST)


@borrowing
def _room_in(values, ranks, box, letters):
    """Return the area of the lines that a box shows, the last one cut in half, or UNLIMITED."""
    if box == INLINE_BOX or box == TABLE_BOX or _declared(OVERFLOW_Y, values, ranks) < 2:
        return UNLIMITED
    height = _extent(HEIGHT, MAX_HEIGHT, MIN_HEIGHT, PADDING_BOTTOM, values, ranks)
    if height == _LARGEST:
        return UNLIMITED
    return (height + letters) * _extent(WIDTH, MAX_WIDTH, MIN_WIDTH, PADDING_RIGHT, values, ranks)


@borrowing
def _is_clipped(values, ranks, box, letters):
    if ranks[CLIP_PATH] >= 0 and values[CLIP_PATH] == 1:
        return True
    if ranks[CLIP] >= 0 and values[CLIP] == 1 and ranks[POSITION] >= 0 and values[POSITION] == ABSOLUTE:
        return True
    scrolled = _declared(OVERFLOW_X, values, ranks) > 0 or _declared(OVERFLOW_Y, values, ranks) > 0
    if box == INLINE_BOX or not scrolled:  # beside a scrolled one, a visible overflow is scrolled, too
        return False
    smallest = max(SMALLEST, letters // 3)
    for p in (HEIGHT, MAX_HEIGHT, WIDTH, MAX_WIDTH):
        if ranks[p] >= 0 and values[p] < smallest and (box != TABLE_BOX or p == MAX_WIDTH):
            upright = p == HEIGHT or p == MAX_HEIGHT
            least, padding = (MIN_HEIGHT, PADDING_BOTTOM) if upright else (MIN_WIDTH, PADDING_RIGHT)
            if _declared(least, values, ranks) + _declared(padding, values, ranks) < smallest:
                return True
    return False


@borrowing
def _is_away(values, ranks, box):
    for p in range(TRANSFORM, CONTENT_VISIBILITY + 1):
        if ranks[p] >= 0 and values[p] == 1 and (p == ZOOM or box != INLINE_BOX):
            return True
    is_placed = ranks[POSITION] >= 0 and values[POSITION] > 0
    for p in range(TOP if is_placed else MARGIN_TOP, MARGIN_LEFT + 1):
        if ranks[p] >= 0 and (values[p] <= -FAR or (values[p] >= _WIDEST and p != TOP and p != MARGIN_TOP)):
            return True
    return False


@borrowing
def _paint(values, ranks, state):
    """Put the background of an element behind its text, or into its letters."""
    colour, gradient = _declared(BACKGROUND, values, ranks), _declared(GRADIENT, values, ranks)
    colour = state[INK] if colour == CURRENT else colour
    light, dark = lightest_of(gradient), darkest_of(gradient)
    if _declared(TEXT_ONLY, values, ranks) == 1:
        state[SHADED] = light if gradient > 0 else colour
        return
    for column in (PAPER, LIGHTEST):
        state[column] = blend(colour, state[column])
    if gradient > 0:
        over = dark & 0xFFFFFF if _declared(MOVED, values, ranks) == 1 else dark
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
