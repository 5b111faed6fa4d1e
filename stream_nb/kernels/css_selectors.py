"""Whether a list of CSS selectors is valid: if one of them is not, the whole rule has no effect (compiled).

Source: W3C, Selectors Level 4.
"""

# pyright: basic

from stream_nb.kernels.css_blocks import skip_block
from stream_nb.kernels.css_syntax import keys, read_name, skip_blank
from stream_nb.kernels.html_characters import index
from stream_nb.kernels.jit import kernel

_PSEUDO = keys(
    "active after any-link autofill backdrop before checked cue default defined dir disabled empty enabled"
    " file-selector-button first first-child first-letter first-line first-of-type focus focus-visible focus-within"
    " fullscreen has host hover in-range indeterminate invalid is lang last-child last-of-type left link marker modal"
    " not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type optional out-of-range part"
    " placeholder placeholder-shown popover-open read-only read-write required right root scope selection slotted"
    " target user-invalid user-valid valid visited where"
)


@kernel
def are_selectors(css, i, end):
    """Return whether css[i:end] is a list of selectors."""
    parts = 0
    while i < end:
        i = skip_blank(css, i, end)
        if i >= end:
            break
        byte = int(css[i])
        name, after = read_name(css, i, end)
        if name != 0 or byte == 42:  # a name, or *
            parts += 1
        elif byte == 46 or byte == 35:  # . #
            name, after = read_name(css, skip_blank(css, i + 1, end), end)
            if name == 0:
                return False
            parts += 1
        elif byte == 58:
            i += 1 + int(i + 1 < end and css[i + 1] == 58)
            name, after = read_name(css, i, end)
            of_webkit = i + 2 < end and css[i] == 45 and css[i + 1] | 32 == 119
            if index(_PSEUDO, name) < 0 and not of_webkit:
                return False
            if after < end and css[after] == 40:
                after = skip_block(css, after, end)
            parts += 1
        elif byte == 91:  # [
            after = skip_block(css, i, end)
            parts += 1
        elif byte == 44:
            if parts == 0:
                return False
            parts = 0
        elif not (byte == 62 or byte == 43 or byte == 126 or byte == 124 or byte == 38):  # > + ~ | &
            return False
        i = max(after, i + 1)
    return parts > 0
