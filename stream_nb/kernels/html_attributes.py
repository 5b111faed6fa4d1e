"""What the value of an attribute says: where a link leads, and whether a style hides its element (compiled)."""

# pyright: basic

import numpy as np

from stream_nb.kernels.html_characters import character, is_space, lower, write_character
from stream_nb.kernels.jit import kernel

_STYLE_BYTES = 256


@kernel
def matches(data, i, end, pattern):
    """Whether `pattern` (bytes) stands at `i`."""
    if end - i < len(pattern):
        return False
    for k in range(len(pattern)):
        if data[i + k] != pattern[k]:
            return False
    return True


@kernel
def style_hides(data, i, end):
    """Whether a style attribute takes its element out of sight."""
    style = np.empty(_STYLE_BYTES, np.uint8)
    n = 0
    while i < end and n < _STYLE_BYTES:
        byte = int(data[i])
        if not is_space(byte):
            style[n] = lower(byte)
            n += 1
        i += 1
    for k in range(n):
        if style[k] == 100 and matches(style, k, n, b"display:none"):
            return True
        if style[k] == 118 and matches(style, k, n, b"visibility:hidden"):
            return True
        if style[k] == 102 and matches(style, k, n, b"font-size:0"):
            after = k + len(b"font-size:0")
            if after >= n or (style[after] != 46 and not 48 <= style[after] <= 57):
                return True
    return False


@kernel
def write_target(data, i, end, out, n):
    """Append a link target after a space, its entities decoded; data: targets are content, not links."""
    if end - i >= 5 and data[i] | 32 == 100 and data[i + 1] | 32 == 97 and data[i + 4] == 58:
        return n
    out[n] = 32
    n += 1
    while i < end:
        point = -1
        if data[i] == 38:
            point, after = character(data, i, end)
        if point >= 0:
            n = write_character(out, n, point)
            i = after
        else:
            out[n] = data[i]
            n += 1
            i += 1
    return n
