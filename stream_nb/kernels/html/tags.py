"""HTML markup: where comments and tags end, and the attributes of a tag that matter (compiled).

Like in the tokenizer of the HTML standard, a comment or tag without an end extends to the end of the document.
"""

# pyright: basic

from stream_nb.kernels.css.syntax import add_to_key, index, is_blank, key, keyed, keys
from stream_nb.kernels.html.characters import character, write_character
from stream_nb.kernels.jit import borrowing
from stream_nb.kernels.swar import find

(
    TAG_NAME, HIDDEN, STYLE, CLASS, ID, INK, PAPER, MEDIA, TYPE, VALUE, WIDTH, FONT_SIZE, LINK_INK, TARGETS,
    ATTRIBUTES, FIRST_TARGET,
) = (0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 25, 26)  # fmt: skip
"""Columns of a tag: its name, whether it has `hidden`; begin and end of the values of attributes (0 and 0 if missing);
the number of link targets and of all attributes; begin and end of each target; name, begin and end of each attribute.
"""

_MOST_TARGETS, _MOST_ATTRIBUTES = 4, 24
_LEAST_WIDTH = 3
FIRST_ATTRIBUTE = FIRST_TARGET + 2 * _MOST_TARGETS
TAG, TAG_WITH_ATTRIBUTES = FIRST_ATTRIBUTE, FIRST_ATTRIBUTE + 3 * _MOST_ATTRIBUTES
"""Sizes of a tag without and with columns for all attributes."""
_HIDDEN, _TARGET_NAMES = key("hidden"), keys("action href src")
_COLOUR, _FONT, _BODY = key("color"), key("font"), key("body")
_ALT, _IMG = key("alt"), key("img")
_WITH_PAPER = keys("body marquee table tbody td tfoot th thead tr")
_UNLABELLED = keys("checkbox color date datetime-local file hidden image month password radio range time week")
"""Types of ``<input>`` that do not show their value as text."""
_VALUE_NAMES, _COLUMNS = keyed(
    {
        "style": STYLE, "class": CLASS, "id": ID, "color": INK, "text": INK, "bgcolor": PAPER,
        "media": MEDIA, "type": TYPE, "value": VALUE, "alt": VALUE, "width": WIDTH,
        "size": FONT_SIZE, "link": LINK_INK,
    }
)  # fmt: skip


@borrowing
def skip_past(data, i, end, byte):
    """Return the index after the next `byte`, or `end`."""
    return min(find(data, i, end, byte) + 1, end)


@borrowing
def skip_comment(data, i, end):
    """Return the index after the comment whose ``<!--`` ends at `i`; ``<!-->`` is a complete comment."""
    i -= 2
    while i + 2 < end:
        if data[i] == 45 and data[i + 1] == 45:
            if data[i + 2] == 62:
                return i + 3
            if data[i + 2] == 33 and i + 3 < end and data[i + 3] == 62:
                return i + 4
        i += 1
    return end


@borrowing
def end_of_raw_text(data, i, end, name):
    """Return the index of the end tag of an element whose content is raw text, or `end`."""
    while i < end:
        if data[i] == 60 and i + 1 < end and data[i + 1] == 47:
            i += 2
            start, own = i, 0
            while i < end and 97 <= (int(data[i]) | 32) <= 122:
                own = add_to_key(own, int(data[i]))
                i += 1
            if own == name:
                return start - 2
        else:
            i += 1
    return end


@borrowing
def blank_tag(name, tag):
    """Fill `tag` with a name, without attributes."""
    for column in range(FIRST_TARGET):
        tag[column] = 0
    tag[TAG_NAME] = name


@borrowing
def read_tag(data, i, end, tag):
    """Fill `tag` from the tag whose ``<`` is at `i`; return the index after it."""
    blank_tag(0, tag)
    i += 1
    if data[i] == 47:
        i += 1
    name = 0
    while i < end and data[i] != 62 and data[i] != 47 and not is_blank(data[i]):
        name = add_to_key(name, int(data[i]))
        i += 1
    tag[TAG_NAME] = name
    while i < end and data[i] != 62:
        if is_blank(data[i]) or data[i] == 47:
            i += 1
            continue
        attribute = 0
        while i < end:
            byte = int(data[i])
            if byte == 62 or byte == 47 or (byte == 61 and attribute != 0) or is_blank(byte):
                break
            attribute = add_to_key(attribute, byte)
            i += 1
        if attribute == _HIDDEN:
            tag[HIDDEN] = 1
        at = FIRST_ATTRIBUTE + 3 * tag[ATTRIBUTES]
        has_room = at < tag.shape[0]
        if has_room:
            tag[at], tag[at + 1], tag[at + 2] = attribute, 0, 0
            tag[ATTRIBUTES] += 1
        while i < end and is_blank(data[i]):
            i += 1
        if i >= end or data[i] != 61:
            continue
        i += 1
        while i < end and is_blank(data[i]):
            i += 1
        if i >= end:
            break
        quote = int(data[i])
        if quote == 34 or quote == 39:
            first = i + 1
            i = skip_past(data, first, end, quote)
            last = i - 1 if data[i - 1] == quote and i > first else i
        else:
            first = i
            while i < end and data[i] != 62 and not is_blank(data[i]):
                i += 1
            last = i
        if has_room:
            tag[at + 1], tag[at + 2] = first, last
        _note(attribute, first, last, tag)
    return min(i + 1, end)


@borrowing
def _note(attribute, first, last, tag):
    """Store the value of an attribute that matters, colours and sizes only of the elements that can have them; if a
    name is repeated, the first counts."""
    if index(_TARGET_NAMES, attribute) >= 0:
        if tag[TARGETS] < _MOST_TARGETS and last > first:
            at = FIRST_TARGET + 2 * tag[TARGETS]
            tag[at], tag[at + 1] = first, last
            tag[TARGETS] += 1
        return
    found = index(_VALUE_NAMES, attribute)
    if found < 0:
        return
    at, name = _COLUMNS[found], tag[TAG_NAME]
    if at == INK:
        fits = name == (_FONT if attribute == _COLOUR else _BODY)
    elif at == FONT_SIZE or at == LINK_INK:
        fits = name == (_FONT if at == FONT_SIZE else _BODY)
    elif at == VALUE:
        fits = (name == _IMG) == (attribute == _ALT)
    else:
        fits = at != PAPER or index(_WITH_PAPER, name) >= 0
    if fits and tag[at + 1] == 0:
        tag[at], tag[at + 1] = first, last


@borrowing
def decode(data, i, end, out, n):
    """Append bytes with their character references decoded; return the new length."""
    while i < end:
        point = -1
        if data[i] == 38:
            point, after = character(data, i, end, True)
        if point >= 0:
            n = write_character(out, n, point)
            i = after
        else:
            out[n] = data[i]
            n += 1
            i += 1
    return n


@borrowing
def write_host(data, i, end, out, n):
    """Append the host of a link or of a mail address, between spaces; return the new length. A data: target is content,
    not a link, and one without a host is in the mail itself."""
    if end - i >= 5 and data[i] | 32 == 100 and data[i + 1] | 32 == 97 and data[i + 4] == 58:
        return n
    last = decode(data, i, end, out, n + 1)
    k = n + 1
    while k < last and out[k] <= 32:
        k += 1
    is_mail, after_slash, first = k < last and out[k] | 32 == 109, False, -1
    while k < last and out[k] > 32 and out[k] != 35 and out[k] != 63:
        is_slash = out[k] == 47 or out[k] == 92
        if is_slash and 0 <= first < k:
            break
        if (is_slash and after_slash) or (out[k] == 64 and (first >= 0 or is_mail)):
            first = k + 1
        after_slash = is_slash
        k += 1
    if not 0 <= first < k:
        return n
    out[n] = 32
    for at in range(first, k):
        n += 1
        out[n] = out[at]
    out[n + 1] = 32
    return n + 2


@borrowing
def decoded_key(data, i, end, out, n):
    """Return the key of an attribute's value, whose decoded bytes overwrite `out` from `n` on."""
    name = 0
    for k in range(n, decode(data, i, end, out, n)):
        name = add_to_key(name, int(out[k]))
    return name


@borrowing
def write_value(data, tag, out, n):
    """Append the text that an ``<input>`` shows, such as that of a button, or the alternative text of an ``<img>``;
    return the new length."""
    if index(_UNLABELLED, decoded_key(data, tag[TYPE], tag[TYPE + 1], out, n)) >= 0:
        return n
    return decode(data, tag[VALUE], tag[VALUE + 1], out, n)


@borrowing
def is_thin(data, tag, out, n):
    """Return whether an image takes hardly any room: less than 3 px, or without source, text and width; the decoded
    bytes of its width overwrite `out` from `n` on."""
    width = -1
    for k in range(n, decode(data, tag[WIDTH], tag[WIDTH + 1], out, n)):
        digit = int(out[k]) - 48
        if not 0 <= digit <= 9:
            break
        width = min(max(width, 0) * 10 + digit, _LEAST_WIDTH)
    is_empty = tag[TARGETS] == 0 and tag[VALUE + 1] == 0 and tag[WIDTH + 1] == 0
    return is_empty or 0 <= width < _LEAST_WIDTH
