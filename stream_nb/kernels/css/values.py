"""The values of CSS properties: whether one is valid, and what it means for the visibility of text (compiled).

A value must be valid to its end. Values with var() and other functions that are not understood count as invalid.
Sources: W3C, CSS Values and Units Module Level 4, and the module of each property.
"""

# pyright: basic

from stream_nb.kernels.css.backgrounds import read_background
from stream_nb.kernels.css.boxes import (
    LEAST_SCALE,
    is_length,
    read_clip,
    read_factor,
    read_shape,
    read_side,
    read_transform,
    read_way,
)
from stream_nb.kernels.css.colours import CURRENT, read_colour
from stream_nb.kernels.css.fonts import read_font, read_line_height, read_shadow, read_size, read_spacing
from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.properties import (
    ABSOLUTE,
    AS_PARENT,
    AUTO,
    BACKGROUND,
    BLEND,
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
    INHERITED,
    INITIAL,
    INLINE_BLOCK,
    INLINE_BOX,
    INVERTS,
    KEEPS_BLACK,
    KEEPS_WHITE,
    LINE_HEIGHT,
    MAX_HEIGHT,
    MAX_WIDTH,
    MIN_HEIGHT,
    MIN_WIDTH,
    MOVED,
    NO_BOX,
    OPACITY,
    OVERFLOW_Y,
    PADDING_BOTTOM,
    PADDING_LEFT,
    POSITION,
    RELATIVE,
    SCALE,
    SHADOW,
    SIDES,
    SIZE,
    SPACING,
    TABLE_BOX,
    TRANSFORM,
    TRANSLATE,
    VISIBILITY,
    WHITE_SPACE,
    ZOOM,
)
from stream_nb.kernels.css.syntax import (
    NOTHING,
    NUMBER,
    PERCENT,
    in_pixels,
    index,
    key,
    keyed,
    keys,
    read_name,
    skip_blank,
)
from stream_nb.kernels.jit import borrowing

_ALL, _FONT, _BACKGROUND, _INSET, _MARGIN, _PADDING = (
    key(name) for name in "all font background inset margin padding".split()
)
_GLOBAL, _INITIAL, _UNSET = keys("inherit initial unset revert revert-layer"), key("initial"), key("unset")
_NONE, _AUTO, _VISIBLE, _HANGING = (key(name) for name in "none auto visible hanging".split())
_INLINE = key("inline")
_BOX_NAMES, _BOXES = keyed(
    {
        word: box
        for box, words in {
            NO_BOX: "none table-column table-column-group",
            INLINE_BOX: "inline contents ruby ruby-base ruby-text ruby-base-container ruby-text-container run-in math",
            INLINE_BLOCK: "inline-block inline-table",
            INLINE_BLOCK + FLEX: "inline-flex inline-grid -webkit-inline-box -webkit-inline-flex",
            BLOCK_BOX: "block flow flow-root list-item table-caption",
            BLOCK_BOX + FLEX: "flex grid -webkit-box -webkit-flex",
            TABLE_BOX: "table table-row table-cell table-row-group table-header-group table-footer-group",
        }.items()
        for word in words.split()
    }
)
_PAIRED = keys("block inline flow flow-root flex grid table ruby list-item run-in math")
_UNSEEN, _CONTENT, _HIDDEN = keys("hidden collapse"), keys("visible auto hidden"), key("hidden")
_WHITE_SPACES, _NOWRAP = keys("normal nowrap pre pre-wrap pre-line break-spaces"), key("nowrap")
_FLOATS = keys("left right inline-start inline-end")
_FIXED, _RELATIVE, _PLACED = keys("absolute fixed"), key("relative"), keys("static sticky")
_OVERFLOWS, _CUTS = keys("visible hidden clip scroll auto overlay"), keys("hidden clip")
_BLENDS, _EFFECTS = keyed(
    {
        word: effect
        for effect, words in {
            0: "normal hard-light luminosity",
            KEEPS_WHITE: "lighten screen plus-lighter",
            KEEPS_BLACK: "darken multiply",
            KEEPS_WHITE + KEEPS_BLACK: "color-dodge color-burn overlay soft-light hue saturation color",
            INVERTS: "difference exclusion",
        }.items()
        for word in words.split()
    }
)
_CONTENT_SIZES = keys("min-content max-content fit-content -webkit-fill-available -moz-available stretch")


@borrowing
def read_value(css, i, end, prop, name):
    """Return (whether the value is valid, the value) of the property number `prop`, declared as `name`."""
    word, after = read_name(css, i, end)
    if index(_GLOBAL, word) >= 0 and skip_blank(css, after, end) == end:
        kept = INHERITED[prop] or (prop == DISPLAY and word != _UNSET)  # the display that an element has by its name
        return True, AS_PARENT if kept and word != _INITIAL else INITIAL[prop]
    if name == _ALL:
        return False, 0
    if name == _FONT:
        valid, value, height, after = read_font(css, i, end)
        value = height if prop == LINE_HEIGHT else value
    elif prop == SIZE:
        valid, value, after = read_size(css, i, end)
    elif prop == LINE_HEIGHT:
        valid, value, after = read_line_height(css, i, end)
    elif name == _BACKGROUND or GRADIENT <= prop <= MOVED:
        valid, value, after = read_background(css, i, end, prop, name)
    elif prop == COLOUR or prop == FILL or prop == BACKGROUND:
        valid, value, after = read_colour(css, i, end)
        if prop == COLOUR and value == CURRENT:
            value = AS_PARENT
    elif prop == SHADOW:
        valid, value, after = read_shadow(css, i, end)
    elif prop == OPACITY:
        kind, value, after = read_length(css, i, end)
        valid = kind == NUMBER or kind == PERCENT
    elif SIDES[prop] >= 0:
        most = 4 if name == _INSET or name == _MARGIN or name == _PADDING else 1
        is_padding = PADDING_BOTTOM <= prop <= PADDING_LEFT
        valid, value, after = read_side(css, i, end, SIDES[prop], most, is_padding)
    elif prop == SPACING:
        valid, value, after = read_spacing(css, i, end)
    elif prop == CLIP:
        valid, value, after = read_clip(css, i, end)
    elif prop == CLIP_PATH:
        valid, value, after = read_shape(css, i, end)
    elif prop == TRANSFORM:
        valid, value, after = read_transform(css, i, end)
    elif prop == TRANSLATE:
        valid, value, after = read_way(css, i, end)
    elif prop == SCALE or prop == ZOOM:
        valid, factor, after = read_factor(css, i, end, 3 if prop == SCALE else 1)
        value = int(factor < LEAST_SCALE and (prop == SCALE or factor > 0))  # a zoom of 0 means 1
    elif prop == INDENT or HEIGHT <= prop <= MIN_WIDTH:
        valid, value, after = _read_length(css, i, end, prop)
    else:
        valid, value, after = _read_words(css, i, end, prop)
    return valid and skip_blank(css, after, end) == end, value


@borrowing
def _read_words(css, i, end, prop):
    """Read the keywords of display, visibility, position, float, white-space or overflow."""
    word, after = read_name(css, i, end)
    if prop == VISIBILITY:
        return word == _VISIBLE or index(_UNSEEN, word) >= 0, int(word != _VISIBLE), after
    if prop == WHITE_SPACE:
        return index(_WHITE_SPACES, word) >= 0, int(word == _NOWRAP), after
    if prop == BLEND:
        at = index(_BLENDS, word)
        return at >= 0, _EFFECTS[max(at, 0)], after
    if prop == CONTENT_VISIBILITY:
        return index(_CONTENT, word) >= 0, int(word == _HIDDEN), after
    if prop == POSITION:
        value = ABSOLUTE if index(_FIXED, word) >= 0 else RELATIVE if word == _RELATIVE else 0
        return value > 0 or index(_PLACED, word) >= 0, value, after
    if prop == FLOAT:
        floats = index(_FLOATS, word) >= 0
        return floats or word == _NONE, int(floats), after
    second, last = read_name(css, skip_blank(css, after, end), end)
    if prop == DISPLAY:
        if second != 0:
            inline = word == _INLINE or second == _INLINE
            return index(_PAIRED, word) >= 0 and index(_PAIRED, second) >= 0, INLINE_BOX if inline else BLOCK_BOX, last
        at = index(_BOX_NAMES, word)
        return at >= 0, _BOXES[max(at, 0)], after
    valid = index(_OVERFLOWS, word) >= 0 and (second == 0 or index(_OVERFLOWS, second) >= 0)
    own = second if prop == OVERFLOW_Y and second != 0 else word
    return valid, int(own != _VISIBLE) + int(index(_CUTS, own) >= 0), after if second == 0 else last


@borrowing
def _read_length(css, i, end, prop):
    """Read an indent or a size."""
    kind, value, after = read_length(css, i, end)
    if kind == NOTHING:
        word, after = read_name(css, i, end)
        if prop == INDENT:
            return False, 0, after
        none = _NONE if prop == MAX_HEIGHT or prop == MAX_WIDTH else _AUTO
        is_zero = word == _AUTO and (prop == MIN_HEIGHT or prop == MIN_WIDTH)
        return word == none or index(_CONTENT_SIZES, word) >= 0, 0 if is_zero else AUTO, after
    if not is_length(kind, value):
        return False, 0, after
    if kind == PERCENT and (prop == HEIGHT or prop == MAX_HEIGHT or prop == MIN_HEIGHT):
        return value >= 0, -1 - value, after
    word, past = read_name(css, skip_blank(css, after, end), end)
    if prop == INDENT and word == _HANGING:
        return True, 0, past  # all lines but the first
    return value >= 0 or prop == INDENT, in_pixels(kind, value), after
