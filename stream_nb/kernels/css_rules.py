"""Style sheets -> rules, and what they declare for an element (compiled).

A selector consists of tags, classes, ids and ``*``, several at once, within any number of ancestors, for example
``table td.note b``. The child combinator is treated like a descendant combinator. Other selectors, such as ``a:hover``
or ``p + p``, select nothing. Rules for print, and for windows that are not 800 px wide, are ignored.

Each name in a selector has an entry in a hash table: its key, its bit in sets of names (-1: none), and the first of the
rules that are tried for elements with that name. A rule also requires names of the element itself and of its ancestors.
An element has at most 32 names, and tries at most 16 rules for each, so that the time is linear. What exceeds these
limits, or those of 1,024 names, 1,024 rules and 62 bits, is ignored. Gmail ignores style sheets above 16 kB.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.css_blocks import skip_block, skip_prelude
from stream_nb.kernels.css_declarations import read_declarations
from stream_nb.kernels.css_media import media_applies, supports
from stream_nb.kernels.css_selectors import are_selectors
from stream_nb.kernels.css_syntax import add_to_key, key, keys, read_name, skip_blank
from stream_nb.kernels.html_characters import index, is_space
from stream_nb.kernels.jit import kernel
from stream_nb.kernels.style_layout import STYLE_PROPERTIES, STYLE_RULES

INLINE = 1 << 56
"""The rank of an inline style."""

CLASS_MARK, ID_MARK = 0x2E, 0x23
_PROBES = 16
_MOST, _MOST_BITS, _MOST_TRIED, _MOST_WANTED = STYLE_RULES[0], 62, 16, 16
_KEY, _BIT, _FIRST = range(3)
_NEXT, _OWN, _AROUND, _VALUES = range(4)
_RANKS = _VALUES + STYLE_PROPERTIES
_NAMES, _BITS, _RULES, _ORDER = range(4)
_AUTHOR, _SPECIFIC = 2, 28
_MEDIA, _SUPPORTS, _GROUPS = key("media"), key("supports"), keys("layer")
_EVERY, _BODY, _HTML = key("*"), key("body"), key("html")


@kernel
def read_sheet(css, i, end, entries, rules, counts):
    """Add the rules of a style sheet."""
    values, ranks = np.empty(STYLE_PROPERTIES, np.int64), np.empty(STYLE_PROPERTIES, np.int64)
    groups = 0  # open ones, such as @media
    while i < end:
        i = skip_blank(css, i, end)
        if i >= end:
            break
        byte = css[i]
        if byte == 125 and groups > 0:
            groups -= 1
            i += 1
        elif byte == 60 or (byte == 45 and i + 2 < end and css[i + 1] == 45 and css[i + 2] == 62):
            i = min(i + (4 if byte == 60 else 3), end)  # marks of the HTML comment around old style sheets
        elif byte == 64:
            name, first = read_name(css, i + 1, end)
            i = skip_prelude(css, first, end, True)
            applies = index(_GROUPS, name) >= 0
            if name == _MEDIA:
                applies = media_applies(css, first, i)
            elif name == _SUPPORTS:
                applies = supports(css, first, i)
            if i < end and css[i] == 59:
                i += 1
            elif applies:
                groups += 1
                i += 1
            else:
                i = skip_block(css, i, end)
        else:
            first = i
            i = skip_prelude(css, i, end, False)
            for p in range(STYLE_PROPERTIES):
                ranks[p] = -1
            last = i
            i = read_declarations(css, i + 1, end, _AUTHOR + counts[_ORDER], values, ranks, True) + 1
            counts[_ORDER] += 1
            any_known = False
            for p in range(STYLE_PROPERTIES):
                any_known = any_known or ranks[p] >= 0
            if any_known and are_selectors(css, first, last):
                _add_rules(css, first, last, values, ranks, entries, rules, counts)


@kernel
def read_names(css, size, mark, names, n):
    """Add the classes or ids in an attribute's value to `names`; return the new number of names."""
    own = 0
    for k in range(size + 1):
        if k < size and not is_space(css[k]):
            own = add_to_key(own, int(css[k]))
        elif own != 0:
            if n < names.shape[0]:
                names[n] = add_to_key(own, mark)
                n += 1
            own = 0
    return n


@kernel
def _slot(wanted, entries):
    """Return the slot of a name's entry, or the empty slot for it, or -1 if the probes find neither."""
    last = entries.shape[0] - 1
    slot = (wanted ^ (wanted >> 17) ^ (wanted >> 37)) & last
    for _ in range(_PROBES):
        if entries[slot, _KEY] == wanted or entries[slot, _KEY] == 0:
            return slot
        slot = (slot + 1) & last
    return -1


@kernel
def _entry(wanted, entries, counts):
    """Return the slot of a name's entry, which is added if missing, or -1 if there is no room."""
    slot = _slot(wanted, entries)
    if slot >= 0 and entries[slot, _KEY] == 0:
        if counts[_NAMES] == _MOST:
            return -1
        counts[_NAMES] += 1
        entries[slot, _KEY], entries[slot, _BIT], entries[slot, _FIRST] = wanted, -1, -1
    return slot


@kernel
def _bit(wanted, entries, counts):
    """Return the bit of a name that a rule requires, or 0 if no bit is left for it."""
    at = _entry(wanted, entries, counts)
    if at < 0:
        return 0
    if entries[at, _BIT] < 0:
        if counts[_BITS] == _MOST_BITS:
            return 0
        entries[at, _BIT] = counts[_BITS]
        counts[_BITS] += 1
    return 1 << entries[at, _BIT]


@kernel
def _add_rules(css, i, end, values, ranks, entries, rules, counts):
    """Add a rule for each selector of a selector list."""
    names = np.empty(_MOST_WANTED, np.int64)
    while i < end:
        n, own, specific = 0, 0, 0
        understood = True
        while i < end and css[i] != 44:
            byte = int(css[i])
            after = skip_blank(css, i, end)
            if after > i or byte == 62:
                between = byte == 62 or is_space(byte) or is_space(css[after - 1])
                i = max(after, i + 1)
                if between and n > own and i < end and css[i] != 44 and css[i] != 62:
                    own = n  # the names so far belong to ancestors of the element
                continue
            kind = byte if byte == CLASS_MARK or byte == ID_MARK else 0
            name, after = read_name(css, i + 1 if kind else i, end)
            if byte == 42:
                name, after = _EVERY, i + 1
            elif name != 0 and kind == 0:
                specific += 1
            elif name != 0:
                name = add_to_key(name, kind)
                specific += 1 << (8 if kind == CLASS_MARK else 16)
            if name == 0 or n == _MOST_WANTED:
                understood = False
            else:
                names[n] = name
                n += 1
            i = max(after, i + 1)
        if understood and n > own:
            _add_rule(names, own, n, specific << _SPECIFIC, values, ranks, entries, rules, counts)
        i += 1


@kernel
def _add_rule(names, own, n, rank, values, ranks, entries, rules, counts):
    """Add a rule for elements with names[own:n], within ancestors with names[:own]. It is tried for elements with the
    last name."""
    wanted, around = 0, 0
    for k in range(n - 1):
        if names[k] == _EVERY or (k < own and (names[k] == _BODY or names[k] == _HTML)):
            continue
        bit = _bit(names[k], entries, counts)
        if bit == 0:
            return
        if k < own:
            around |= bit
        else:
            wanted |= bit
    at = _entry(names[n - 1], entries, counts)
    if at < 0:
        return
    rule, tried = entries[at, _FIRST], 0
    while rule >= 0 and (rules[rule, _OWN] != wanted or rules[rule, _AROUND] != around):
        rule = rules[rule, _NEXT]
        tried += 1
    if rule < 0:
        if tried == _MOST_TRIED or counts[_RULES] == _MOST:
            return
        rule = counts[_RULES]
        counts[_RULES] += 1
        rules[rule, _NEXT], rules[rule, _OWN], rules[rule, _AROUND] = entries[at, _FIRST], wanted, around
        for p in range(STYLE_PROPERTIES):
            rules[rule, _RANKS + p] = -1
        entries[at, _FIRST] = rule
    for p in range(STYLE_PROPERTIES):
        if ranks[p] >= 0 and ranks[p] + rank >= rules[rule, _RANKS + p]:
            rules[rule, _VALUES + p], rules[rule, _RANKS + p] = values[p], ranks[p] + rank


@kernel
def select(names, n, around, entries, rules, values, ranks):
    """Apply the declarations of all rules that match an element with these n names, within ancestors with the set of
    names `around`. Returns this set with the names of the element added."""
    found = np.empty(n + 1, np.int64)
    own = 0
    for k in range(n + 1):
        found[k] = _slot(names[k] if k < n else _EVERY, entries)
        if found[k] >= 0 and entries[found[k], _KEY] == 0:
            found[k] = -1
        if found[k] >= 0 and entries[found[k], _BIT] >= 0:
            own |= 1 << entries[found[k], _BIT]
    for k in range(n + 1):
        rule = entries[found[k], _FIRST] if found[k] >= 0 else -1
        while rule >= 0:
            if (own & rules[rule, _OWN]) == rules[rule, _OWN] and (around & rules[rule, _AROUND]) == rules[
                rule, _AROUND
            ]:
                for p in range(STYLE_PROPERTIES):
                    if rules[rule, _RANKS + p] >= max(ranks[p], 0):
                        values[p], ranks[p] = rules[rule, _VALUES + p], rules[rule, _RANKS + p]
            rule = rules[rule, _NEXT]
    return around | own
