"""CSS colours (compiled).

A colour is 0xAARRGGBB, where AA is its opacity. Of lab(), lch(), oklab() and oklch() only the lightness is used.
light-dark(), color-mix() and relative colours are not understood. Sources: W3C, CSS Color Module Level 4; WHATWG, HTML,
2.3.6 Colors.
"""

# pyright: basic

from stream_nb.kernels.css.math import read_length
from stream_nb.kernels.css.syntax import (
    ANGLE,
    NOTHING,
    NUMBER,
    PERCENT,
    UNIT,
    hex_digit,
    index,
    is_blank,
    key,
    keyed,
    keys,
    read_name,
    skip_blank,
)
from stream_nb.kernels.jit import borrowing

OPAQUE, TRANSPARENT, CURRENT = 0xFF << 24, 0, -1
"""CURRENT: the colour of the letters."""

_NAMED = """
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4
black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0
chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff
darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b
darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a
darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1
darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222
floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520
gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082
ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6
lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3
lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899
lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6
magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db
mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585
midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6
olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513
salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb
slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c
teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5
yellow ffff00 yellowgreen 9acd32
canvas ffffff field ffffff canvastext 000000 fieldtext 000000 buttontext 000000 marktext 000000 highlighttext 000000
linktext 0000ee visitedtext 551a8b activetext ff0000 graytext 808080 buttonface efefef mark ffff00
""".split()
_NAMES, _VALUES = keyed(
    {name: OPAQUE + int(colour, 16) for name, colour in zip(_NAMED[::2], _NAMED[1::2], strict=True)}
)
_TRANSPARENT, _CURRENT, _NONE = key("transparent"), key("currentcolor"), key("none")

_EACH, _HSL, _HWB = 3, 4, 5
# For each function: how it mixes a colour, or the channel that is the lightness; and the number that is white.
_FUNCTIONS = {
    "rgb": (_EACH, 255), "rgba": (_EACH, 255), "color": (_EACH, 1), "hsl": (_HSL, 100), "hsla": (_HSL, 100),
    "hwb": (_HWB, 100), "lab": (0, 100), "lch": (0, 100), "oklab": (0, 1), "oklch": (0, 1),
}  # fmt: skip
_FUNCTION_NAMES, _MIXES = keyed({name: mix for name, (mix, _) in _FUNCTIONS.items()})
_, _WHITE = keyed({name: white for name, (_, white) in _FUNCTIONS.items()})
_COLOR, _SPACES = key("color"), keys("srgb srgb-linear display-p3 a98-rgb prophoto-rgb rec2020 xyz xyz-d50 xyz-d65")


@borrowing
def read_colour(css, i, end):
    """Return (whether there is a colour at `i`, the colour, index after it)."""
    if i < end and css[i] == 35:
        return _read_hex(css, i + 1, end)
    name, after = read_name(css, i, end)
    if after < end and css[after] == 40:
        at = index(_FUNCTION_NAMES, name)
        if at < 0:
            return False, 0, after
        i = skip_blank(css, after + 1, end)
        if name == _COLOR:
            space, i = read_name(css, i, end)
            i = skip_blank(css, i, end)
            if index(_SPACES, space) < 0:
                return False, 0, i
        return _read_channels(css, i, end, _MIXES[at], _WHITE[at])
    if name == _TRANSPARENT:
        return True, TRANSPARENT, after
    if name == _CURRENT:
        return True, CURRENT, after
    at = index(_NAMES, name)
    return at >= 0, _VALUES[at] if at >= 0 else 0, after


@borrowing
def _read_hex(css, i, end):
    value, digits = 0, 0
    while i < end and digits < 9 and hex_digit(int(css[i])) >= 0:
        value = value * 16 + hex_digit(int(css[i]))
        digits += 1
        i += 1
    if digits == 3 or digits == 4:
        wide = 0
        for k in range(digits):
            wide = wide * 256 + 17 * ((value >> (4 * (digits - 1 - k))) & 15)
        value, digits = wide, 2 * digits
    if digits == 8:
        return True, (value & 0xFF) << 24 | value >> 8, i
    return digits == 6, OPAQUE | value, i


@borrowing
def _read_channels(css, i, end, mix, white):
    """Read three channels and perhaps the opacity: ``1, 2, 3, 0.4)`` or ``1 2 3 / 0.4)``."""
    colour, hue, commas, n, percentages, first = 0, 0, 0, 0, 0, NUMBER
    opacity, slash = UNIT, False
    while i < end and css[i] != 41:
        kind, value, after = read_length(css, i, end)
        if kind == NOTHING:
            name, after = read_name(css, i, end)
            if name != _NONE:
                return False, 0, i
            kind, value = NUMBER, 0
        if n == 0:
            first = kind
        percentages += int(kind == PERCENT and n < 3)
        n += 1
        if n == 4:
            opacity = value
        elif n == 1 and mix > _EACH:
            if kind != NUMBER and kind != ANGLE:
                return False, 0, i
            hue = value
        elif mix >= _EACH or n == mix + 1:
            if kind != NUMBER and kind != PERCENT:
                return False, 0, i
            level = value * 255 // (UNIT if kind == PERCENT else white * UNIT)
            colour = colour * 256 + min(max(level, 0), 255)
        i = skip_blank(css, after, end)
        if i < end and (css[i] == 44 or (css[i] == 47 and n == 3)):
            commas += int(css[i] == 44)
            slash = slash or css[i] == 47
            i = skip_blank(css, i + 1, end)
    if n < 3 or n > 4 or (commas == 0 and slash != (n == 4)):
        return False, 0, i
    if commas > 0:  # the old form, of rgb() with three numbers or percentages, and of hsl()
        wanted = 2 if mix == _HSL else 3 if first == PERCENT else 0
        if commas != n - 1 or percentages != wanted or not (mix == _HSL or white == 255):
            return False, 0, i
    left, right = colour >> 8, colour & 0xFF
    if mix == _HSL:
        chroma = left * min(right, 255 - right) // 255
        colour = _of_hue(hue, right - chroma, right + chroma)
    elif mix == _HWB:
        grey = left * 255 // max(left + right, 1)
        colour = _of_hue(hue, min(left, grey), max(255 - right, grey))
    elif mix != _EACH:
        colour *= 0x010101
    return True, (min(max(opacity, 0), UNIT) * 255 // UNIT) << 24 | colour, min(i + 1, end)


@borrowing
def _of_hue(hue, low, high):
    """Return the red, green and blue of a hue in 1/1000 degrees, each between `low` and `high`."""
    colour = 0
    for turned in (0, 240_000, 120_000):
        share = min(max(abs((hue + turned) % 360_000 - 180_000) - 60_000, 0), 60_000)
        colour = colour * 256 + low + (high - low) * share // 60_000
    return colour


@borrowing
def legacy_colour(data, i, end):
    """Return (whether an attribute such as ``bgcolor`` has a colour, the colour): nearly any text is one."""
    while i < end and is_blank(data[i]):
        i += 1
    while i < end and is_blank(data[end - 1]):
        end -= 1
    name, after = read_name(data, i, end)
    if i == end or name == _TRANSPARENT:
        return False, 0
    at = index(_NAMES, name)
    if at >= 0 and after == end:
        return True, _VALUES[at]
    if data[i] == 35 and end - i == len("#rgb"):
        known, colour, after = _read_hex(data, i + 1, end)
        if known and after == end:
            return True, colour
    i += int(data[i] == 35)
    size = min(end - i, 128)
    own = max((size + 2) // 3, 1)  # digits of a channel
    first, used = max(own - 8, 0), min(own, 8)
    while used > 2:
        most = 0
        for channel in range(3):
            most = max(most, _digit(data, i, size, channel * own + first))
        if most > 0:
            break
        first += 1
        used -= 1
    colour = 0xFF
    for channel in range(3):
        level = 0
        for k in range(min(used, 2)):
            level = level * 16 + _digit(data, i, size, channel * own + first + k)
        colour = colour * 256 + level
    return True, colour


@borrowing
def _digit(data, i, size, k):
    """Return the k-th hexadecimal digit of a text of this size; anything else, and what is missing, is 0."""
    return max(hex_digit(int(data[i + k])), 0) if k < size else 0


@borrowing
def blend(over, under):
    """Return the opaque colour that a colour has on an opaque one."""
    opacity, blended = over >> 24, 0xFF
    if opacity == 0 or opacity == 0xFF:  # nearly always
        return over if opacity == 0xFF else under
    for shift in (16, 8, 0):
        level = opacity * (over >> shift & 0xFF) + (255 - opacity) * (under >> shift & 0xFF)
        blended = blended * 256 + level // 255
    return blended


@borrowing
def least(left, right):
    """Return the colour that has the smaller opacity, red, green and blue of two."""
    colour = 0
    for shift in (24, 16, 8, 0):
        colour = colour * 256 + min(left >> shift & 0xFF, right >> shift & 0xFF)
    return colour


@borrowing
def most(left, right):
    """Return the colour that has the larger opacity, red, green and blue of two."""
    colour = 0
    for shift in (24, 16, 8, 0):
        colour = colour * 256 + max(left >> shift & 0xFF, right >> shift & 0xFF)
    return colour
