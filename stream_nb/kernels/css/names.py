"""The names that selectors consist of: a hash table, and a bit for each name in sets of names (compiled).

A name is the key of a tag, a ``.class``, an ``#id``, ``*`` or a condition (`css.conditions`). Its entry has its key;
its bit (0: no rule needs it); all bits of elements with this name, also those of ``:is()``; the first of the rules
that are tried for them; and, for a condition, what it asks.
"""

# pyright: basic

from stream_nb.kernels.css.layout import STYLE_RULES
from stream_nb.kernels.css.syntax import add_to_key, is_blank, key
from stream_nb.kernels.jit import borrowing

KEY, BIT, BITS, FIRST_RULE, NEXT_TEST, KIND, SIZE, VALUE = range(8)
"""Columns of an entry."""
NAMES, NAME_BITS, RULE_BITS, RULES, BLOCKS = range(5)
"""Columns of the counts."""
CLASS_MARK, ID_MARK, ATTRIBUTE_MARK = 0x2E, 0x23, 0x5B
EVERY, HTML, LINK = key("*"), key("html"), key(":link")
NO_TEST = -1
MOST_BITS = 62
_MOST_NAMES, _PROBES = STYLE_RULES[0], 16


@borrowing
def _slot(name, entries):
    """Return the slot of a name's entry, or the empty slot for it, or -1 if the probes find neither."""
    last = entries.shape[0] - 1
    slot = (name ^ (name >> 17) ^ (name >> 37)) & last
    for _ in range(_PROBES):
        if entries[slot, KEY] == name or entries[slot, KEY] == 0:
            return slot
        slot = (slot + 1) & last
    return -1


@borrowing
def find_name(name, entries):
    """Return the slot of a name's entry, or -1 if it has none."""
    slot = _slot(name, entries)
    return slot if slot >= 0 and entries[slot, KEY] != 0 else -1


@borrowing
def add_name(name, entries, counts):
    """Return the slot of a name's entry, which is added if missing, or -1 if there is no room."""
    slot = _slot(name, entries)
    if slot >= 0 and entries[slot, KEY] == 0:
        if counts[NAMES] == _MOST_NAMES:
            return -1
        counts[NAMES] += 1
        entries[slot, KEY], entries[slot, FIRST_RULE] = name, -1
        entries[slot, NEXT_TEST], entries[slot, KIND] = -1, NO_TEST
    return slot


@borrowing
def bit_of(name, entries, counts):
    """Return the bit of a name that a rule requires or forbids, or 0 if no bit is left for it."""
    at = add_name(name, entries, counts)
    if at < 0:
        return 0
    if entries[at, BIT] == 0 and counts[NAME_BITS] < MOST_BITS:
        entries[at, BIT] = 1 << counts[NAME_BITS]
        entries[at, BITS] |= entries[at, BIT]
        counts[NAME_BITS] += 1
    return entries[at, BIT]


@borrowing
def add_found(at, found, n):
    """Add the slot of a name to the distinct `found[:n]`, unless it is negative or there is no room; return the new
    number of slots."""
    if at < 0 or n == found.shape[0]:
        return n
    for k in range(n):
        if found[k] == at:
            return n
    found[n] = at
    return n + 1


@borrowing
def find_names(css, size, mark, entries, found, n):
    """Add the slots of the classes or ids in an attribute's value to `found`; return the new number of slots."""
    own = 0
    for k in range(size + 1):
        if k < size and not is_blank(css[k]):
            own = add_to_key(own, int(css[k]))
        elif own != 0:
            n = add_found(find_name(add_to_key(own, mark), entries), found, n)
            own = 0
    return n
