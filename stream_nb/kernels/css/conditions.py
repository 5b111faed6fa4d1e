"""The conditions in selectors: what ``[attribute=value]`` and ``:nth-child()`` ask of an element (compiled).

A condition is a name that an element has while the condition holds. Conditions on one attribute are linked from the
entry of its name, and those on the position from `POSITION`. A value is not stored: it is compared by its hash,
anywhere in an attribute by a rolling hash. Source: W3C, Selectors Level 4, 6 Attribute selectors.
"""

# pyright: basic

from stream_nb.kernels.css.blocks import skip_block, skip_string
from stream_nb.kernels.css.names import (
    ATTRIBUTE_MARK,
    KIND,
    NEXT_TEST,
    NO_TEST,
    SIZE,
    VALUE,
    add_found,
    add_name,
    find_name,
)
from stream_nb.kernels.css.syntax import (
    KEY_BITS,
    add_exactly,
    add_to_key,
    index,
    is_blank,
    is_digit,
    key,
    keys,
    lower,
    read_escape,
    read_name,
    skip_blank,
)
from stream_nb.kernels.jit import borrowing, inlined

POSITION = key(":nth-child")
INVALID, UNKNOWN, NEVER = -1, -2, -3
"""Instead of a name: no selector; one that is not understood; one that no element matches."""
_PRESENT, _EQUAL, _WORD, _DASHED, _BEGINS, _ENDS, _WITHIN, NTH = 0, 61, 126, 124, 94, 36, 42, 1
_ANY_CASE = 256
_MOST_TESTS = 16
_I, _ODD, _EVEN = key("i"), key("odd"), key("even")
_IN_ANY_CASE = keys(
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir"
    " direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref"
    " noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype"
    " vlink"
)


@borrowing
def add_condition(asked, kind, size, value, entries, counts):
    """Return the name of a condition on what has the name `asked`, or UNKNOWN if there is no room for it."""
    name = add_exactly(add_exactly(add_exactly(asked, kind), size), value)
    owner, at = add_name(asked, entries, counts), add_name(name, entries, counts)
    if owner < 0 or at < 0:
        return UNKNOWN
    if entries[at, KIND] == NO_TEST:
        if entries[owner, SIZE] == _MOST_TESTS:
            return UNKNOWN
        entries[owner, SIZE] += 1
        entries[at, NEXT_TEST], entries[owner, NEXT_TEST] = entries[owner, NEXT_TEST], at
        entries[at, KIND], entries[at, SIZE], entries[at, VALUE] = kind, size, value
    return name


@borrowing
def read_attribute(css, i, end, entries, counts):
    """Return (the name of the condition in brackets at `i`, index after it)."""
    close = skip_block(css, i, end)
    i = skip_blank(css, i + 1, close)
    if i + 1 < close and css[i] == 42 and css[i + 1] == 124:  # *| any namespace
        i += 2
    attribute, i = read_name(css, i, close)
    i = skip_blank(css, i, close)
    if attribute == 0 or css[close - 1] != 93:
        return INVALID, close
    asked = add_to_key(attribute, ATTRIBUTE_MARK)
    if i == close - 1:
        return add_condition(asked, _PRESENT, 0, 0, entries, counts), close
    kind = int(css[i])
    i += 1
    if kind == _WORD or kind == _DASHED or kind == _BEGINS or kind == _ENDS or kind == _WITHIN:
        i += 1
    if css[i - 1] != _EQUAL:
        return INVALID, close
    i = skip_blank(css, i, close)
    quoted = css[i] == 34 or css[i] == 39
    if not quoted and is_digit(css[i]):
        return INVALID, close
    _, after = read_name(css, i, close)
    if quoted:
        i, after = i + 1, skip_string(css, i, close)
    stop = after - int(quoted)
    exact, folded, size = 0, 0, 0
    while i < stop:
        point, i = read_escape(css, i, stop)
        exact, folded, size = add_exactly(exact, point), add_to_key(folded, point), size + 1
        if kind == _WORD and is_blank(point):  # no word: an empty value is in none
            return NEVER, close
    if size == 0 and not quoted:
        return INVALID, close
    flag, i = read_name(css, skip_blank(css, after, close), close)
    if (flag != 0 and flag != _I) or skip_blank(css, i, close) != close - 1:
        return INVALID, close
    if flag == _I or (flag == 0 and index(_IN_ANY_CASE, attribute) >= 0):
        kind, exact = kind + _ANY_CASE, folded
    return add_condition(asked, kind, size, exact, entries, counts), close


@borrowing
def read_position(css, i, end, entries, counts):
    """Return the name of the condition of ``:nth-child()`` on the position; `i` is after its parenthesis."""
    word, after = read_name(css, skip_blank(css, i, end), end)
    step, value, sign, digits = 0, 0, 1, 0
    if word == _ODD or word == _EVEN:
        step, value, i = 2, int(word == _ODD), after
    while i < end and css[i] != 41:
        byte = int(css[i])
        if byte == 43 or byte == 45:
            sign = 44 - byte
        elif 48 <= byte <= 57:
            value, digits = min(value * 10 + byte - 48, 1 << 20), digits + 1
        elif byte | 32 == 110:
            step, value, sign, digits = sign * (value if digits > 0 else 1), 0, 1, 0
        elif not is_blank(byte):
            return UNKNOWN
        i += 1
    return add_condition(POSITION, NTH, step, sign * value, entries, counts)


@borrowing
def find_conditions(asked, value, size, entries, found, n):
    """Add the slots of the conditions that hold for the value of an attribute, or for the position `size`, to `found`;
    return the new number of slots."""
    owner = find_name(asked, entries)
    at = entries[owner, NEXT_TEST] if owner >= 0 else -1
    while at >= 0:
        if _holds(value, size, entries[at, KIND], entries[at, SIZE], entries[at, VALUE]):
            n = add_found(at, found, n)
        at = entries[at, NEXT_TEST]
    return n


@inlined
def _fold(byte, in_any_case):
    return lower(int(byte)) if in_any_case else int(byte)


@borrowing
def _holds(value, size, kind, length, wanted):
    """Return whether a condition holds; `length` and `wanted` are the size and the hash of the value it asks for."""
    if kind == _PRESENT:
        return True
    if kind == NTH:
        steps = size - wanted
        return steps == 0 if length == 0 else steps % length == 0 and steps * length >= 0
    in_any_case, kind = kind & _ANY_CASE != 0, kind & (_ANY_CASE - 1)
    if length == 0 or length > size:
        return size == length and (kind == _EQUAL or kind == _DASHED)
    first = size - length if kind == _ENDS else 0
    last = first if kind != _WORD and kind != _WITHIN else size - length
    found, power = 0, 1
    for k in range(first, first + length):
        found = add_exactly(found, _fold(value[k], in_any_case))
        power = power * 131 & KEY_BITS
    while True:
        after = first + length
        if found == wanted:
            ends = after == size
            if kind == _DASHED:
                ends = ends or value[after] == 45
            elif kind == _WORD:
                ends = (ends or is_blank(value[after])) and (first == 0 or is_blank(value[first - 1]))
            if ends or kind == _BEGINS or kind == _WITHIN:
                return True
        if first >= last:
            return False
        found = add_exactly(found, _fold(value[after], in_any_case)) - (_fold(value[first], in_any_case) + 1) * power
        found &= KEY_BITS
        first += 1
