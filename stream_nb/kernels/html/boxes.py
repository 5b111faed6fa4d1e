"""Which boxes show none of their text, or only a part of it (compiled)."""

# pyright: basic

from stream_nb.kernels.css.boxes import FAR
from stream_nb.kernels.css.properties import (
    ABSOLUTE,
    AUTO,
    BLOCK_BOX,
    BOTTOM,
    CLIP,
    CLIP_PATH,
    CONTENT_VISIBILITY,
    CUT_OFF,
    HEIGHT,
    INITIAL,
    INLINE_BOX,
    LEFT,
    MARGIN_LEFT,
    MARGIN_TOP,
    MAX_HEIGHT,
    MAX_WIDTH,
    MIN_HEIGHT,
    MIN_WIDTH,
    OVERFLOW_X,
    OVERFLOW_Y,
    PADDING_BOTTOM,
    PADDING_LEFT,
    PADDING_RIGHT,
    POSITION,
    RIGHT,
    TABLE_BOX,
    TOP,
    TRANSFORM,
    WIDTH,
    ZOOM,
)
from stream_nb.kernels.css.syntax import UNIT
from stream_nb.kernels.jit import borrowing

SMALLEST = 3 * UNIT
UNLIMITED = 1 << 60
WINDOW, _LARGEST = 800 * UNIT, 1000 * UNIT


@borrowing
def room_of(letters, in_line):
    """Return the least area that a character takes: a third of a square of the size of its letters; or, in a line that
    is cut off, the least width."""
    return max((letters if in_line else letters * letters) // 3, 1)


@borrowing
def declared(p, values, ranks):
    """Return the declared value of a property, or its initial one."""
    return values[p] if ranks[p] >= 0 else INITIAL[p]


@borrowing
def _extent(size, most, least, padding, values, ranks):
    """Return the height or the width that is declared for a box, at most _LARGEST."""
    own = max(min(declared(size, values, ranks), declared(most, values, ranks)), declared(least, values, ranks))
    return min(own + declared(padding, values, ranks), _LARGEST)


@borrowing
def width_of(values, ranks):
    """Return the width that is declared for a box, at most _LARGEST."""
    return _extent(WIDTH, MAX_WIDTH, MIN_WIDTH, PADDING_RIGHT, values, ranks)


@borrowing
def room_in(values, ranks, box, letters, line):
    """Return (the area that a box shows, or the width of its lines, or UNLIMITED; whether it is that width).

    Letters are in the middle of a line, which may be so high that they are below the box.
    """
    if box == INLINE_BOX or box == TABLE_BOX:
        return UNLIMITED, False
    height, width = _extent(HEIGHT, MAX_HEIGHT, MIN_HEIGHT, PADDING_BOTTOM, values, ranks), width_of(values, ranks)
    if declared(OVERFLOW_Y, values, ranks) == CUT_OFF and height < _LARGEST:
        shows_first = line <= 2 * height + letters
        return (height + letters // 2) * width if shows_first else 0, False  # half of the last line may be cut off
    if declared(OVERFLOW_X, values, ranks) == CUT_OFF and (width < _LARGEST or box == BLOCK_BOX):
        return width, True
    return UNLIMITED, False


@borrowing
def crops_lines(values, ranks, is_around):
    """Return whether a box, or one around it, shows nothing above and below its lines, which alone make its height."""
    height = declared(HEIGHT, values, ranks)
    least = declared(MIN_HEIGHT, values, ranks) + declared(PADDING_BOTTOM, values, ranks)
    return height == AUTO and least == 0 and (is_around or declared(OVERFLOW_Y, values, ranks) == CUT_OFF)


@borrowing
def is_clipped(values, ranks, box, letters):
    """Return whether a box is clipped to less than 3 px or a third of a letter."""
    if ranks[CLIP_PATH] >= 0 and values[CLIP_PATH] == 1:
        return True
    if ranks[CLIP] >= 0 and values[CLIP] == 1 and ranks[POSITION] >= 0 and values[POSITION] == ABSOLUTE:
        return True
    scrolled = declared(OVERFLOW_X, values, ranks) > 0 or declared(OVERFLOW_Y, values, ranks) > 0
    if box == INLINE_BOX or not scrolled:  # beside a scrolled one, a visible overflow is scrolled, too
        return False
    smallest = max(SMALLEST, letters // 3)
    for p in (HEIGHT, MAX_HEIGHT, WIDTH, MAX_WIDTH):
        if ranks[p] >= 0 and values[p] < smallest and (box != TABLE_BOX or p == MAX_WIDTH):
            upright = p == HEIGHT or p == MAX_HEIGHT
            least, padding = (MIN_HEIGHT, PADDING_BOTTOM) if upright else (MIN_WIDTH, PADDING_RIGHT)
            if declared(least, values, ranks) + declared(padding, values, ranks) < smallest:
                return True
    return False


@borrowing
def is_away(values, ranks, box, most):
    """Return whether a box is moved far away, at least `most` to the right, or scaled to nothing."""
    for p in range(TRANSFORM, CONTENT_VISIBILITY + 1):
        if ranks[p] >= 0 and values[p] == 1 and (p == ZOOM or box != INLINE_BOX):
            return True
    if box != INLINE_BOX and declared(PADDING_LEFT, values, ranks) >= most:
        return True
    is_placed = ranks[POSITION] >= 0 and values[POSITION] > 0
    for p in range(TOP if is_placed else MARGIN_TOP, MARGIN_LEFT + 1):
        if ranks[p] < 0 or values[p] == AUTO:
            continue
        opposite = LEFT if p == RIGHT else TOP if p == BOTTOM else -1
        if opposite >= 0 and declared(opposite, values, ranks) != AUTO:
            continue  # that side decides
        if values[p] <= -FAR or (values[p] >= most and p != TOP and p != MARGIN_TOP):
            return True
    return False
