"""What is kept of each number beside its moments: rows that Python and the kernels share, each field named."""

from __future__ import annotations

from enum import IntEnum


class NumberSum(IntEnum):
    """What a number gave the right classes of past messages, by how wrong their scores were, in 1/256, and the squares
    of that (see `kernels.number_weights`)."""

    GRADIENT = 0
    SQUARES = 1


class Span(IntEnum):
    """Where the places of a number begin among those of all numbers, how many there are, and for how many is room."""

    START = 0
    USED = 1
    SPACE = 2


class Cell(IntEnum):
    """A place of a number: which one it is, what all classes have counted there, then the count of each class, in 1/256
    of a message; a count below 0 is not among those of all classes."""

    PLACE = 0
    HELD = 1
    COUNTS = 2
