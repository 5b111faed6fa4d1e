"""The CSS properties that decide whether text is visible, and their keywords.

A value is a length in 1/1000 px, a colour (`css.colours`), or what the comments say. Source: W3C, CSS Cascading and
Inheritance Level 4.
"""

from __future__ import annotations

import numpy as np

from stream_nb.kernels.css.colours import CURRENT, OPAQUE, TRANSPARENT
from stream_nb.kernels.css.syntax import UNIT, keyed

AUTO = 1 << 40
"""A size of ``auto`` or ``none``: large enough for the text; or a side that has no place of its own."""
AS_PARENT = -(1 << 50)
"""The value of the element around."""
OF_LETTERS = 1 << 40
"""Added to a length that is a factor of the size of the letters."""
MEDIUM, SMALLER = 16 * UNIT, 833
"""The usual size of letters; the factor of ``smaller`` in 1/1000."""
NORMAL_LINE = OF_LETTERS + 1200

_INITIAL = {
    "display": 0,  # INLINE_BOX, NO_BOX, BLOCK_BOX, INLINE_BLOCK, TABLE_BOX, perhaps + FLEX
    "visibility": 0,  # 1: hidden
    "opacity": UNIT,
    "font-size": MEDIUM,  # negative: a factor of the parent's
    "line-height": NORMAL_LINE,  # negative: a factor of the letters of this element, not of those within
    "color": OPAQUE,  # black
    "-webkit-text-fill-color": CURRENT,
    "text-shadow": TRANSPARENT,  # the colour of the first sharp one
    "background-color": TRANSPARENT, "background-image": 0,  # a gradient (see `css.backgrounds`)
    "background-clip": 0,  # 1: text
    "background-position": 0,  # 1: does not cover the box
    "position": 0,  # RELATIVE, ABSOLUTE
    "float": 0,  # 1: beside the text
    "top": AUTO, "right": AUTO, "bottom": AUTO, "left": AUTO,
    "margin-top": 0, "margin-left": 0,
    "text-indent": 0,
    "height": AUTO, "max-height": AUTO,  # negative: a share of the height around, less 1 (see `html.style`)
    "width": AUTO, "max-width": AUTO,
    "min-height": 0,  # negative: as for height
    "min-width": 0, "padding-bottom": 0, "padding-right": 0, "padding-left": 0,
    "letter-spacing": 0,
    "white-space": 0,  # 1: lines do not wrap
    "overflow-x": 0, "overflow-y": 0,  # 1: scrolled, CUT_OFF
    "clip": 0, "clip-path": 0, "transform": 0, "translate": 0, "scale": 0, "zoom": 0,  # 1: nothing is left
    "content-visibility": 0,  # 1: hidden
    "mix-blend-mode": 0,  # KEEPS_WHITE, KEEPS_BLACK, both, or INVERTS
}  # fmt: skip
(
    DISPLAY, VISIBILITY, OPACITY, SIZE, LINE_HEIGHT, COLOUR, FILL, SHADOW, BACKGROUND, GRADIENT, TEXT_ONLY, MOVED,
    POSITION, FLOAT, TOP, RIGHT, BOTTOM, LEFT, MARGIN_TOP, MARGIN_LEFT, INDENT, HEIGHT, MAX_HEIGHT, WIDTH, MAX_WIDTH,
    MIN_HEIGHT, MIN_WIDTH, PADDING_BOTTOM, PADDING_RIGHT, PADDING_LEFT, SPACING, WHITE_SPACE, OVERFLOW_X, OVERFLOW_Y,
    CLIP, CLIP_PATH, TRANSFORM, TRANSLATE, SCALE, ZOOM, CONTENT_VISIBILITY, BLEND,
) = range(len(_INITIAL))  # fmt: skip
INITIAL = np.array([*_INITIAL.values()], np.int64)
INHERITED = np.array(
    [
        prop in (VISIBILITY, SIZE, LINE_HEIGHT, COLOUR, FILL, SHADOW, INDENT, SPACING, WHITE_SPACE)
        for prop in range(len(_INITIAL))
    ]
)
INLINE_BOX, NO_BOX, BLOCK_BOX, INLINE_BLOCK, TABLE_BOX = range(5)
FLEX = 8
"""The elements in the box are boxes beside each other."""
RELATIVE, ABSOLUTE = 1, 2
CUT_OFF = 2
KEEPS_WHITE, KEEPS_BLACK, INVERTS = 1, 2, 4
"""What blending does: a white or a black background stays as it is, or only what is not black is visible."""

_ALIASES = {
    "-webkit-background-clip": TEXT_ONLY, "background-size": MOVED, "background-position-x": MOVED,
    "background-position-y": MOVED, "margin-inline-start": MARGIN_LEFT, "margin-block-start": MARGIN_TOP,
    "inset-inline-start": LEFT, "inset-inline-end": RIGHT, "inset-block-start": TOP, "inset-block-end": BOTTOM,
    "-webkit-clip-path": CLIP_PATH, "-webkit-transform": TRANSFORM, "block-size": HEIGHT, "max-block-size": MAX_HEIGHT,
    "inline-size": WIDTH, "max-inline-size": MAX_WIDTH, "min-block-size": MIN_HEIGHT, "min-inline-size": MIN_WIDTH,
}  # fmt: skip
_SHORTHANDS = {
    "font": (SIZE, 2), "background": (BACKGROUND, 4), "inset": (TOP, 4), "margin": (MARGIN_TOP, 2),
    "padding": (PADDING_BOTTOM, 3), "overflow": (OVERFLOW_X, 2),
}  # fmt: skip
"""The first property that each declares, and how many from it on."""
_FIRST = {
    **dict(zip(_INITIAL, range(len(_INITIAL)), strict=True)),
    **_ALIASES,
    **{name: first for name, (first, _) in _SHORTHANDS.items()},
}
PROPERTY_KEYS, INDICES = keyed(_FIRST)
_, COUNTS = keyed({name: _SHORTHANDS.get(name, (0, 1))[1] for name in _FIRST})
_SIDES = "top right bottom left".split()
SIDES = np.array([_SIDES.index(side) if (side := name.split("-")[-1]) in _SIDES else -1 for name in _INITIAL])
"""The side that a property is for, counted from the top clockwise; -1: none."""
