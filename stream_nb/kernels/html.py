"""HTML bytes -> the text a reader sees and the text hidden from him, in one pass (compiled; see `html`).

The rules are those of the HTML standard's tokeniser as far as they decide what is text: a comment or a tag
without its end swallows the rest, as it does in a mail program. A byte is consumed once, after at
most one look ahead, so the work is linear on any input; a test counts the reads.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.html_attributes import style_hides, write_target
from stream_nb.kernels.html_characters import character, index, is_space, lower, pack, write_character
from stream_nb.kernels.jit import kernel


def _packed(names: str) -> np.ndarray:
    return np.array(sorted(pack(name) for name in names.split()), dtype=np.int64)


_BREAKS = _packed(
    "address article aside body br button caption center col dd details dir div dl dt fieldset figure footer"
    " form h1 h2 h3 h4 h5 h6 head header hr html iframe img input legend li link main map menu meta nav object"
    " ol option p pre section select table tbody td textarea tfoot th thead title tr ul"
)
_VOID = _packed("area base br col embed hr img input link meta param source track wbr")
_CLOSED_BY_ITS_LIKE = _packed("dd dt li option p td th tr")
_TARGETS = _packed("action href src")
_SCRIPT, _STYLE, _HIDDEN = pack("script"), pack("style"), pack("hidden")


@kernel
def _skip_past(data, i, end, byte):
    while i < end and data[i] != byte:
        i += 1
    return min(i + 1, end)


@kernel
def _skip_comment(data, i, end):
    """Index after the comment whose ``<!--`` ends at `i`; ``<!-->`` is a whole one."""
    i -= 2
    while i + 2 < end:
        if data[i] == 45 and data[i + 1] == 45:
            if data[i + 2] == 62:
                return i + 3
            if data[i + 2] == 33 and i + 3 < end and data[i + 3] == 62:
                return i + 4
        i += 1
    return end


@kernel
def _skip_element(data, i, end, name):
    """Index of the end tag of a script or style element, whose content is no text."""
    length = 6 if name == _SCRIPT else 5
    while i < end:
        if data[i] == 60 and i + 1 < end and data[i + 1] == 47 and i + 2 + length <= end:
            key = 0
            for k in range(length):
                key = (key << 8) | lower(int(data[i + 2 + k]))
            if key == name:
                return i
        i += 1
    return end


@kernel
def split_html(data, seen, unseen):
    """Write visible text to `seen` and hidden text to `unseen`; the bytes written to each.

    All three are uint8; `seen` and `unseen` need the room of `data` and two bytes more.
    """
    end = data.shape[0]
    out = seen
    n_seen = 0
    n_unseen = 0
    n = 0
    hiding = 0  # name of the element that hides, 0 outside one
    depth = 0
    i = 0
    while i < end:
        byte = data[i]
        if byte == 38:
            point, i = character(data, i, end)
            if point >= 0:
                n = write_character(out, n, point)
            else:
                out[n] = 38
                n += 1
            continue
        following = int(data[i + 1]) if byte == 60 and i + 1 < end else 0
        letter = following
        closing = following == 47
        if closing:
            letter = int(data[i + 2]) if i + 2 < end else 0
        if not (following == 33 or following == 63 or closing or 97 <= (letter | 32) <= 122):
            out[n] = byte
            n += 1
            i += 1
            continue
        if following == 33 and i + 3 < end and data[i + 2] == 45 and data[i + 3] == 45:
            i = _skip_comment(data, i + 4, end)
            continue
        if not 97 <= (letter | 32) <= 122:
            i = _skip_past(data, i + 1, end, 62)
            continue

        i += 2 if closing else 1
        name = 0
        length = 0
        while i < end and data[i] != 62 and data[i] != 47 and not is_space(data[i]):
            if length < 8:
                name = (name << 8) | lower(int(data[i]))
            length += 1
            i += 1
        if length > 8:
            name = -1
        if hiding != 0 and name == hiding:
            if closing or index(_CLOSED_BY_ITS_LIKE, name) >= 0:
                depth -= 1
            else:
                depth += 1
            if depth <= 0:
                n_unseen = n
                out, n = seen, n_seen
                hiding = 0
        if index(_BREAKS, name) >= 0:
            out[n] = 32
            n += 1
        hides = False
        linked = False
        while i < end and data[i] != 62:
            if is_space(data[i]) or data[i] == 47:
                i += 1
                continue
            attribute = 0
            length = 0
            while i < end:
                byte = int(data[i])
                if byte == 62 or byte == 47 or (byte == 61 and length > 0) or is_space(byte):
                    break
                if length < 8:
                    attribute = (attribute << 8) | lower(byte)
                length += 1
                i += 1
            if length > 8:
                attribute = -1
            if attribute == _HIDDEN:
                hides = True
            while i < end and is_space(data[i]):
                i += 1
            if i >= end or data[i] != 61:
                continue
            i += 1
            while i < end and is_space(data[i]):
                i += 1
            if i >= end:
                break
            quote = int(data[i])
            if quote == 34 or quote == 39:
                first = i + 1
                i = _skip_past(data, first, end, quote)
                last = i - 1 if data[i - 1] == quote and i > first else i
            else:
                first = i
                while i < end and data[i] != 62 and not is_space(data[i]):
                    i += 1
                last = i
            if attribute == _STYLE:
                hides = hides or style_hides(data, first, last)
            elif index(_TARGETS, attribute) >= 0 and last > first:
                n = write_target(data, first, last, out, n)
                linked = True
        i += 1
        if linked:
            out[n] = 32
            n += 1
        if closing:
            continue
        if name == _SCRIPT or name == _STYLE:
            i = _skip_element(data, i, end, name)
        elif hides and hiding == 0 and index(_VOID, name) < 0:
            n_seen = n
            out, n = unseen, n_unseen
            hiding = name
            depth = 1
            if n > 0:
                out[n] = 32
                n += 1
    if hiding != 0:
        n_unseen = n
    else:
        n_seen = n
    return n_seen, n_unseen
