"""HTML bytes -> the rules of all style sheets (compiled).

They are read before the text, because they also apply to what is above them.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css.media import media_applies
from stream_nb.kernels.css.sheets import read_sheet
from stream_nb.kernels.css.syntax import key
from stream_nb.kernels.html.tags import (
    MEDIA,
    TAG,
    TAG_NAME,
    TYPE,
    decode,
    decoded_key,
    end_of_raw_text,
    read_tag,
    skip_comment,
    skip_past,
)
from stream_nb.kernels.html.traits import RAW, traits_of
from stream_nb.kernels.jit import kernel

_STYLE_NAME, _CSS = key("style"), key("text/css")


@kernel
def read_styles(data, entries, rules, counts):
    """Read all style sheets of a document that apply to a screen into `entries` (see `css.names`) and `rules`
    (`css.rules`), as far as they fit."""
    end = len(data)
    tag, css = np.empty(TAG, np.int64), np.empty(end, np.uint8)
    i = 0
    while i < end:
        i = skip_past(data, i, end, 60)
        following = int(data[i]) if i < end else 0
        if following == 33 and i + 2 < end and data[i + 1] == 45 and data[i + 2] == 45:
            i = skip_comment(data, i + 3, end)
        elif 97 <= (following | 32) <= 122:
            i = read_tag(data, i - 1, end, tag)
            if traits_of(tag[TAG_NAME]) & RAW:
                stop = end_of_raw_text(data, i, end, tag[TAG_NAME])
                kind = decoded_key(data, tag[TYPE], tag[TYPE + 1], css, 0)
                n = decode(data, tag[MEDIA], tag[MEDIA + 1], css, 0)
                if tag[TAG_NAME] == _STYLE_NAME and (kind == 0 or kind == _CSS) and media_applies(css, 0, n):
                    for k in range(stop - i):
                        css[k] = data[i + k]
                    read_sheet(css, 0, stop - i, entries, rules, counts)
                i = stop
        elif following == 47 or following == 33 or following == 63:
            i = skip_past(data, i, end, 62)
