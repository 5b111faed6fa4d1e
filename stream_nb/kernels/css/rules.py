"""Rules: which elements they select, and what they declare for them (compiled).

A rule is for a part of a selector (`css.selectors`). It selects elements that have a name, all of some bits of names
and none of others (`css.names`), and a relation to an element with the bits `left`: within it, its child, right after
it or anywhere after it. These elements get the rule's declarations, and its own bit.

The rules for a name are linked from its entry. An element has at most 32 names that occur in style sheets, and tries at
most 16 rules for each, so that the time is linear. What exceeds these limits, or those of 1,024 names, 1,024 rules, 62
bits of names and 62 of rules, is ignored. Gmail ignores style sheets above 16 kB.
"""

# pyright: basic

from typing import Any, NamedTuple

from stream_nb.kernels.css.layout import STYLE_PROPERTIES, STYLE_RULES
from stream_nb.kernels.css.names import BITS, FIRST_RULE, MOST_BITS, RULE_BITS, RULES, add_name
from stream_nb.kernels.jit import borrowing

AROUND, PARENT, JUST_BEFORE, BEFORE, CHILDREN = range(5)
"""Columns of the row of an element that say what its next child is related to: the bits of the elements around it, of
its parent, of the element just before it and of all before it within its parent, and their number."""
RELATIVES = 5
_NEXT, _OWN, _WITHOUT, _RELATION, _LEFT, _BIT, _VALUES = range(7)
_RANKS = _VALUES + STYLE_PROPERTIES
_MOST_RULES, _MOST_TRIED = STYLE_RULES[0], 16


class Styles(NamedTuple):
    """The names and rules of a document's style sheets, and what each element overwrites: the slots of its names, its
    values and their ranks (see `css.declarations`), and the bytes of an attribute, decoded."""

    entries: Any
    rules: Any
    found: Any
    values: Any
    ranks: Any
    css: Any


@borrowing
def add_rule(name, own, without, relation, left, entries, rules, counts):
    """Return the index of a rule for elements with this name, which is added if missing, or -1 if there is no room."""
    at = add_name(name, entries, counts)
    if at < 0:
        return -1
    rule, tried = entries[at, FIRST_RULE], 0
    while rule >= 0:
        if (
            rules[rule, _OWN] == own
            and rules[rule, _WITHOUT] == without
            and rules[rule, _RELATION] == relation
            and rules[rule, _LEFT] == left
        ):
            return rule
        rule = rules[rule, _NEXT]
        tried += 1
    if tried == _MOST_TRIED or counts[RULES] == _MOST_RULES:
        return -1
    rule = counts[RULES]
    counts[RULES] += 1
    rules[rule, _NEXT], rules[rule, _OWN], rules[rule, _WITHOUT] = entries[at, FIRST_RULE], own, without
    rules[rule, _RELATION], rules[rule, _LEFT], rules[rule, _BIT] = relation, left, 0
    for p in range(STYLE_PROPERTIES):
        rules[rule, _RANKS + p] = -1
    entries[at, FIRST_RULE] = rule
    return rule


@borrowing
def rule_bit(rule, rules, counts):
    """Return the bit of a rule, or 0 if there is no rule or no bit left."""
    if rule < 0:
        return 0
    if rules[rule, _BIT] == 0 and counts[RULE_BITS] < MOST_BITS:
        rules[rule, _BIT] = 1 << counts[RULE_BITS]
        counts[RULE_BITS] += 1
    return rules[rule, _BIT]


@borrowing
def declare(rule, rank, values, ranks, rules):
    """Add declarations to a rule, their ranks increased by `rank`."""
    for p in range(STYLE_PROPERTIES):
        if ranks[p] >= 0 and ranks[p] + rank >= rules[rule, _RANKS + p]:
            rules[rule, _VALUES + p], rules[rule, _RANKS + p] = values[p], ranks[p] + rank


@borrowing
def select(n, relatives, styles):
    """Apply the declarations of all rules that select an element; return its bits.

    `found[:n]` are the slots of its names, `relatives` is the row of its parent, where it is counted.
    """
    entries, rules, found, values, ranks, _ = styles
    own, bits = 0, 0
    for k in range(n):
        own |= entries[found[k], BITS]
    for k in range(n):
        rule = entries[found[k], FIRST_RULE]
        while rule >= 0:
            if (
                own & rules[rule, _OWN] == rules[rule, _OWN]
                and own & rules[rule, _WITHOUT] == 0
                and relatives[rules[rule, _RELATION]] & rules[rule, _LEFT] == rules[rule, _LEFT]
            ):
                bits |= rules[rule, _BIT]
                for p in range(STYLE_PROPERTIES):
                    if rules[rule, _RANKS + p] >= max(ranks[p], 0):
                        values[p], ranks[p] = rules[rule, _VALUES + p], rules[rule, _RANKS + p]
            rule = rules[rule, _NEXT]
    relatives[JUST_BEFORE] = bits
    relatives[BEFORE] |= bits
    relatives[CHILDREN] += 1
    return bits
