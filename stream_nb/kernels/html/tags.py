"""HTML markup: where comments and tags end, and the attributes of a tag that matter (compiled).

Like in the tokenizer of the HTML standard, a comment or tag without an end extends to the end of the document.
"""

# pyright: basic

from stream_nb.kernels.css.syntax import add_to_key, index, is_blank, key, keyed, keys
from stream_nb.kernels.html.characters import character, write_character
from stream_nb.kernels.jit import borrowing
from stream_nb.kernels.swar import find

(
    TAG_NAME, HIDDEN, STYLE, CLASS, ID, INK, PAPER, PICTURED, MEDIA, TYPE, VALUE, TARGETS, ATTRIBUTES, FIRST_TARGET,
) = (0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21, 22)  # fmt: skip
"""Columns of a tag: its name, whether it has `hidden`; begin and end of the values of attributes (0 and 0 if missing);
the number of link targets and of all attributes; begin and end of each target; name, begin and end of each attribute.
"""

_MOST_TARGETS, _MOST_ATTRIBUTES = 4, 24
FIRST_ATTRIBUTE = FIRST_TARGET + 2 * _MOST_TARGETS
TAG, TAG_WITH_ATTRIBUTES = FIRST_ATTRIBUTE, FIRST_ATTRIBUTE + 3 * _MOST_ATTRIBUTES
"""Sizes of a tag without and with columns for all attributes."""
_HIDDEN, _TARGET_NAMES = key("hidden"), keys("action href src")
_COLOUR, _FONT, _BODY = key("color"), key("font"), key("body")
_WITH_PAPER = keys("body marquee table tbody td tfoot th thead tr")
_UNLABELLED = keys("checkbox color date datetime-local file hidden image month password radio range time week")
"""Types of ``<input>`` that do not show their value as text."""
_VALUE_NAMES, _COLUMNS = keyed(
    {
        "style": STYLE, "class": CLASS, "id": ID, "color": INK, "text": INK, "bgcolor": PAPER,
        "background": PICTURED, "media": MEDIA, "type": TYPE, "value": VALUE,
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
    """Store the value of an attribute that matters, colours only of the elements that can have them; if a name is
    repeated, the first counts."""
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
    else:
        fits = (at != PAPER and at != PICTURED) or index(_WITH_PAPER, name) >= 0
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
def write_target(data, i, end, out, n):
    """Append a link target after a space; return the new length. Skip data: targets, which are content, not links."""
    if end - i >= 5 and data[i] | 32 == 100 and data[i + 1] | 32 == 97 and data[i + 4] == 58:
        return n
    out[n] = 32
    n += 1
    return decode(data, i, end, out, n)


@borrowing
def decoded_key(data, i, end, out, n):
    """Return the key of an attribute's value, whose decoded bytes overwrite `out` from `n` on."""
    name = 0
    for k in range(n, decode(data, i, end, out, n)):
        name = add_to_key(name, int(out[k]))
    return name


@borrowing
def write_value(data, tag, out, n):
    """Append the text that an ``<input>`` shows, such as that of a button; return the new length."""
    if index(_UNLABELLED, decoded_key(data, tag[TYPE], tag[TYPE + 1], out, n)) >= 0:
        return n
    return decode(data, tag[VALUE], tag[VALUE + 1], out, n)
