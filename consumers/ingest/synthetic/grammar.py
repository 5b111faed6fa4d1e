"""Expands a grammar to text: each ``{slot}`` is replaced by one of its phrases, recursively."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

Grammar = dict[str, Sequence[str]]
"""The phrases of each slot."""

_SLOT = re.compile(r"\{(\w+)\}")
_ONSETS = "b br c ch d dr f g gr h j k l m n p pr r s st t tr v w z".split()
_VOWELS = "a e i o u ai ea io ou".split()
_CODAS = ["", "", "l", "n", "r", "s", "nd", "rt", "m", "x"]


def expand(phrase: str, grammar: Grammar, draw: Random) -> str:
    """The phrase with every slot filled; besides the grammar's slots there are built-in numbers and made-up words.

    Raises KeyError for an unknown slot.

    Args:
        phrase: Text with slots in braces: ``{person}``.
        grammar: The phrases for each slot; they may contain slots, too.
        draw: Source of the random choices.

    >>> expand("{greeting} {name}", {"greeting": ["hello"], "name": ["Ann"]}, Random(1))
    'hello Ann'
    """

    def fill(match: re.Match[str]) -> str:
        slot = match[1]
        if slot in grammar:
            return expand(draw.choice(grammar[slot]), grammar, draw)
        return str(_BUILT_IN[slot](draw))

    return _SLOT.sub(fill, phrase)


def made_up_word(draw: Random) -> str:
    """A made-up word of two or three syllables, by random choices of `draw`."""
    count = draw.choice((2, 2, 3))
    return "".join(draw.choice(_ONSETS) + draw.choice(_VOWELS) + draw.choice(_CODAS) for _ in range(count))


def _price(draw: Random) -> str:
    return f"{draw.choice((9, 19, 29, 49, 79, 99, 149, 299))}.{draw.choice((0, 50, 90, 95, 99)):02d}"


_BUILT_IN: dict[str, Callable[[Random], object]] = {
    "digit": lambda draw: draw.randint(2, 9),
    "number": lambda draw: draw.randint(10, 99),
    "big": lambda draw: draw.randint(1000, 99999),
    "hour": lambda draw: f"{draw.randint(8, 19)}:{draw.choice(('00', '15', '30', '45'))}",
    "price": _price,
    "word": made_up_word,
    "Word": lambda draw: made_up_word(draw).capitalize(),
    "code": lambda draw: f"{draw.randrange(16**6):06x}",
}
