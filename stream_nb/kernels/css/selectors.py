"""Lists of CSS selectors -> rules for the elements that they select (compiled).

Each part of a selector such as ``td.x > b`` becomes a rule, from left to right. The rule of a part requires the names
of the part, and that an element around or before it has the bit of the part to its left (`css.rules`).

What depends on later elements (``:last-child``, ``:empty``, ``:has()``), pseudo-elements, and ``:not()`` and ``:is()``
of more than simple selectors select nothing. If a selector of a list is invalid, the list is. Source: W3C, Selectors
Level 4.
"""

# pyright: basic

from stream_nb.kernels.css.blocks import skip_block
from stream_nb.kernels.css.conditions import (
    INVALID,
    NEVER,
    NTH,
    POSITION,
    UNKNOWN,
    add_condition,
    read_attribute,
    read_position,
)
from stream_nb.kernels.css.names import BITS, CLASS_MARK, EVERY, HTML, ID_MARK, LINK, add_name, bit_of
from stream_nb.kernels.css.rules import AROUND, BEFORE, JUST_BEFORE, PARENT, add_rule, rule_bit
from stream_nb.kernels.css.syntax import add_to_key, index, is_blank, key, keyed, read_name, skip_blank
from stream_nb.kernels.jit import borrowing

_TAG, _CLASS, _ID = 1, 1 << 8, 1 << 16
"""Specificities."""
_NOT, _IS, _WHERE, _FIRST_CHILD, _NTH_CHILD = (key(name) for name in "not is where first-child nth-child".split())
_PSEUDO_NAMES = {
    NEVER: "active autofill checked focus focus-visible focus-within fullscreen hover modal target visited",
    EVERY: "defined read-only",
    LINK: "any-link link",
    HTML: "root scope",
    UNKNOWN: "after backdrop before cue default dir disabled empty enabled file-selector-button first first-child"
    " first-letter first-line first-of-type has host in-range indeterminate invalid is lang last-child last-of-type"
    " left marker not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type optional"
    " out-of-range part placeholder placeholder-shown popover-open read-write required right selection slotted"
    " user-invalid user-valid valid where",
}
_PSEUDO_KEYS, _PSEUDO_MEANINGS = keyed(
    {name: meaning for meaning, names in _PSEUDO_NAMES.items() for name in names.split()}
)


@borrowing
def read_selectors(css, i, end, entries, rules, counts, found):
    """Add a rule for each selector of a list to `rules`; return how many, or 0 if the list is invalid.

    Columns of `found` (int64[:, 2]) get the index of each rule and the specificity of its selector.
    """
    n, specific, relation, left = 0, 0, AROUND, 0
    name, own, without, parts = EVERY, 0, 0, 0
    understood = True
    while True:
        after = skip_blank(css, i, end)
        byte = int(css[after]) if after < end else 44
        relates = JUST_BEFORE if byte == 43 else BEFORE if byte == 126 else PARENT if byte == 62 else AROUND
        spaced = parts > 0 and after > i and (is_blank(css[i]) or is_blank(css[after - 1]))
        i = after
        if byte == 44 or relates != AROUND or spaced:
            if parts == 0:
                return 0
            rule = add_rule(name, own, without, relation, left, entries, rules, counts) if understood else -1
            if byte == 44:
                if rule >= 0 and n < found.shape[0]:
                    found[n, 0], found[n, 1] = rule, specific
                    n += 1
                if i >= end:
                    return n
                specific, relation, left, understood = 0, AROUND, 0, True
            else:
                relation, left = relates, rule_bit(rule, rules, counts)
                understood = left != 0
            name, own, without, parts = EVERY, 0, 0, 0
            i += int(byte == 44 or relates != AROUND)
            continue
        word, after = read_name(css, i + 1 if byte == 58 else i, end)
        if byte == 58 and after < end and css[after] == 40 and (word == _NOT or word == _IS or word == _WHERE):
            bits, more, i = _read_arguments(css, after, end, word == _NOT, entries, counts)
            if i < 0:
                return 0
            if bits < 0:
                understood = False
            elif word == _NOT:
                without |= bits
            else:
                own |= bits
            more = 0 if word == _WHERE else more
        else:
            one, more, i = _read_simple(css, i, end, entries, counts)
            if one == INVALID or (parts > 0 and (more == _TAG or byte == 42)):
                return 0
            if one == UNKNOWN or one == NEVER:
                understood = False
            elif one != EVERY:
                if name != EVERY:
                    bit = bit_of(name, entries, counts)
                    own |= bit
                    understood = understood and bit != 0
                name = one
        specific += more
        parts += 1


@borrowing
def _read_arguments(css, i, end, negates, entries, counts):
    """Return (bits that an element must have, or must not have if `negates`; specificity; index after the parenthesis)
    for the list of selectors in parentheses at `i`.

    The bits are -1 if it is not understood, the index is -1 if it is invalid. A list that is not negated has one bit,
    which elements with one of its names have.
    """
    close, bits, most = skip_block(css, i, end), 0, 0
    if css[close - 1] != 41:
        return 0, 0, -1
    if not negates:
        group = 0
        for k in range(i, close):
            group = add_to_key(group, int(css[k]))
        bits = bit_of(group, entries, counts)
        if bits == 0:
            return -1, 0, close
    i += 1
    while i < close:
        one, more, i = _read_simple(css, skip_blank(css, i, close), close, entries, counts)
        i = skip_blank(css, i, close)
        if one == INVALID and negates:
            return 0, 0, -1
        if one == UNKNOWN or not (css[i] == 44 or i == close - 1):
            return -1, 0, close
        if one >= 0 and negates:
            bit = bit_of(one, entries, counts)
            if bit == 0:
                return -1, 0, close
            bits |= bit
        elif one >= 0:
            at = add_name(one, entries, counts)
            if at < 0:
                return -1, 0, close
            entries[at, BITS] |= bits
        most = max(most, more)
        i += 1
    return bits, most, close


@borrowing
def _read_simple(css, i, end, entries, counts):
    """Return (name that the simple selector at `i` asks for, its specificity, index after it)."""
    byte = int(css[i])
    if byte == 42 and i + 2 < end and css[i + 1] == 124 and css[i + 2] != 61:  # *| any namespace
        i += 2
        byte = int(css[i])
    name, after = read_name(css, i, end)
    if name != 0:
        return name, _TAG, after
    if byte == 42:
        return EVERY, 0, i + 1
    if byte == CLASS_MARK or byte == ID_MARK:
        name, after = read_name(css, i + 1, end)
        return add_to_key(name, byte) if name != 0 else INVALID, _CLASS if byte == CLASS_MARK else _ID, after
    if byte == 91:
        name, after = read_attribute(css, i, end, entries, counts)
        return name, _CLASS, after
    if byte == 38:  # &
        return UNKNOWN, 0, i + 1
    if byte != 58:
        return INVALID, 0, i
    i += 1 + int(i + 1 < end and css[i + 1] == 58)
    word, after = read_name(css, i, end)
    first = after
    if after < end and css[after] == 40:
        first, after = after + 1, skip_block(css, after, end)
    if word == _NTH_CHILD and first < after:
        return read_position(css, first, after, entries, counts), _CLASS, after
    if word == _FIRST_CHILD:
        return add_condition(POSITION, NTH, 0, 1, entries, counts), _CLASS, after
    at = index(_PSEUDO_KEYS, word)
    if at >= 0:
        return _PSEUDO_MEANINGS[at], _CLASS, after
    of_webkit = i + 2 < end and css[i] == 45 and css[i + 1] | 32 == 119
    return UNKNOWN if of_webkit else INVALID, _CLASS, after
