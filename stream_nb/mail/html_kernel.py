"""HTML bytes -> the text a reader sees and the text hidden from him, in one pass (compiled; see `html`).

The rules are those of the HTML standard's tokeniser as far as they decide what is text: a comment or a tag
without its end swallows the rest, as it does in a mail program. A byte is consumed once, after at
most one look ahead, so the work is linear on any input; a test counts the reads.
"""

from html.entities import name2codepoint

import numpy as np

from stream_nb.kernels.jit import inlined, kernel


def _pack(name: str) -> int:
    """Up to eight ASCII characters as one number."""
    return int.from_bytes(name.encode(), "big")


def _packed(names: str) -> np.ndarray:
    return np.array(sorted(_pack(name) for name in names.split()), dtype=np.int64)


_BREAKS = _packed(
    "address article aside body br button caption center col dd details dir div dl dt fieldset figure footer"
    " form h1 h2 h3 h4 h5 h6 head header hr html iframe img input legend li link main map menu meta nav object"
    " ol option p pre section select table tbody td textarea tfoot th thead title tr ul"
)
_VOID = _packed("area base br col embed hr img input link meta param source track wbr")
_CLOSED_BY_ITS_LIKE = _packed("dd dt li option p td th tr")
_TARGETS = _packed("action href src")
_SCRIPT, _STYLE, _HIDDEN = _pack("script"), _pack("style"), _pack("hidden")

_ENTITIES = np.array(sorted((_pack(name), point) for name, point in name2codepoint.items()), dtype=np.int64)
_ENTITY_NAMES = np.ascontiguousarray(_ENTITIES[:, 0])
_ENTITY_POINTS = np.ascontiguousarray(_ENTITIES[:, 1])
_WINDOWS_1252 = np.array([ord(c) for c in bytes(range(128, 160)).decode("cp1252", "replace")], dtype=np.int64)

_DISPLAY_NONE = np.frombuffer(b"display:none", dtype=np.uint8)
_NOT_VISIBLE = np.frombuffer(b"visibility:hidden", dtype=np.uint8)
_NO_SIZE = np.frombuffer(b"font-size:0", dtype=np.uint8)
_STYLE_BYTES = 256


@kernel
def _index(keys, key):
    """Where `key` stands in sorted `keys`, or -1."""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.shape[0] and keys[low] == key else -1


@inlined
def _is_space(byte):
    return byte == 32 or 9 <= byte <= 13


@inlined
def _lower(byte):
    return byte + 32 if 65 <= byte <= 90 else byte


@inlined
def _is_alnum(byte):
    return 97 <= (byte | 32) <= 122 or 48 <= byte <= 57


@kernel
def _write_point(out, n, point):
    """Append a character as UTF-8: spaces as one space, characters nobody sees not at all; the new length."""
    if point == 0xA0 or 0x2000 <= point <= 0x200A or point == 0x3000:
        point = 32
    elif point == 0xAD or 0x200B <= point <= 0x200F or 0x202A <= point <= 0x202E or 0x2060 <= point <= 0x2064:
        return n
    elif point == 0xFEFF:
        return n
    elif point == 0 or point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        point = 0xFFFD
    if point < 0x80:
        out[n] = point
        return n + 1
    if point < 0x800:
        out[n] = 0xC0 | (point >> 6)
        out[n + 1] = 0x80 | (point & 0x3F)
        return n + 2
    if point < 0x10000:
        out[n] = 0xE0 | (point >> 12)
        out[n + 1] = 0x80 | ((point >> 6) & 0x3F)
        out[n + 2] = 0x80 | (point & 0x3F)
        return n + 3
    out[n] = 0xF0 | (point >> 18)
    out[n + 1] = 0x80 | ((point >> 12) & 0x3F)
    out[n + 2] = 0x80 | ((point >> 6) & 0x3F)
    out[n + 3] = 0x80 | (point & 0x3F)
    return n + 4


@kernel
def _entity(data, i, end):
    """The character reference at `i` (an ampersand): (code point or -1, index after it)."""
    j = i + 1
    point = 0
    if j < end and data[j] == 35:
        j += 1
        base = 10
        if j < end and (data[j] | 32) == 120:
            base = 16
            j += 1
        first = j
        while j < end:
            byte = int(data[j])
            if 48 <= byte <= 57:
                digit = byte - 48
            elif base == 16 and 97 <= (byte | 32) <= 102:
                digit = (byte | 32) - 87
            else:
                break
            point = min(point * base + digit, 0x110000)
            j += 1
        if j == first:
            return -1, i + 1
        if 128 <= point <= 159:
            point = int(_WINDOWS_1252[point - 128])
    else:
        first = j
        while j < end and _is_alnum(data[j]):
            if j - first < 8:
                point = (point << 8) | int(data[j])
            j += 1
        at = _index(_ENTITY_NAMES, point) if 2 <= j - first <= 8 else -1
        if at < 0:
            return -1, i + 1
        point = int(_ENTITY_POINTS[at])
    if j < end and data[j] == 59:
        j += 1
    return point, j


@kernel
def _write_target(data, i, end, out, n):
    """Append a link target after a space, its entities decoded; data: targets are content, not links."""
    if end - i >= 5 and data[i] | 32 == 100 and data[i + 1] | 32 == 97 and data[i + 4] == 58:
        return n
    out[n] = 32
    n += 1
    while i < end:
        point = -1
        if data[i] == 38:
            point, after = _entity(data, i, end)
        if point >= 0:
            n = _write_point(out, n, point)
            i = after
        else:
            out[n] = data[i]
            n += 1
            i += 1
    return n


@kernel
def _matches(data, i, end, pattern):
    if end - i < pattern.shape[0]:
        return False
    for k in range(pattern.shape[0]):
        if data[i + k] != pattern[k]:
            return False
    return True


@kernel
def _style_hides(data, i, end):
    """Whether a style attribute takes its element out of sight."""
    style = np.empty(_STYLE_BYTES, np.uint8)
    n = 0
    while i < end and n < _STYLE_BYTES:
        byte = int(data[i])
        if not _is_space(byte):
            style[n] = _lower(byte)
            n += 1
        i += 1
    for k in range(n):
        if style[k] == 100 and _matches(style, k, n, _DISPLAY_NONE):
            return True
        if style[k] == 118 and _matches(style, k, n, _NOT_VISIBLE):
            return True
        if style[k] == 102 and _matches(style, k, n, _NO_SIZE):
            after = k + _NO_SIZE.shape[0]
            if after >= n or (style[after] != 46 and not 48 <= style[after] <= 57):
                return True
    return False


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
                key = (key << 8) | _lower(int(data[i + 2 + k]))
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
            point, i = _entity(data, i, end)
            if point >= 0:
                n = _write_point(out, n, point)
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
        while i < end and data[i] != 62 and data[i] != 47 and not _is_space(data[i]):
            if length < 8:
                name = (name << 8) | _lower(int(data[i]))
            length += 1
            i += 1
        if length > 8:
            name = -1
        if hiding != 0 and name == hiding:
            if closing or _index(_CLOSED_BY_ITS_LIKE, name) >= 0:
                depth -= 1
            else:
                depth += 1
            if depth <= 0:
                n_unseen = n
                out, n = seen, n_seen
                hiding = 0
        if _index(_BREAKS, name) >= 0:
            out[n] = 32
            n += 1
        hides = False
        linked = False
        while i < end and data[i] != 62:
            if _is_space(data[i]) or data[i] == 47:
                i += 1
                continue
            attribute = 0
            length = 0
            while i < end:
                byte = int(data[i])
                if byte == 62 or byte == 47 or (byte == 61 and length > 0) or _is_space(byte):
                    break
                if length < 8:
                    attribute = (attribute << 8) | _lower(byte)
                length += 1
                i += 1
            if length > 8:
                attribute = -1
            if attribute == _HIDDEN:
                hides = True
            while i < end and _is_space(data[i]):
                i += 1
            if i >= end or data[i] != 61:
                continue
            i += 1
            while i < end and _is_space(data[i]):
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
                while i < end and data[i] != 62 and not _is_space(data[i]):
                    i += 1
                last = i
            if attribute == _STYLE:
                hides = hides or _style_hides(data, first, last)
            elif _index(_TARGETS, attribute) >= 0 and last > first:
                n = _write_target(data, first, last, out, n)
                linked = True
        i += 1
        if linked:
            out[n] = 32
            n += 1
        if closing:
            continue
        if name == _SCRIPT or name == _STYLE:
            i = _skip_element(data, i, end, name)
        elif hides and hiding == 0 and _index(_VOID, name) < 0:
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
