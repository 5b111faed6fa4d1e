"""What is stored for each number besides its moments: rows that Python and the kernels share, each field named."""

from __future__ import annotations

from enum import IntEnum


class NumberSum(IntEnum):
    """The sum of the gradients of a number's weight over past labels, in 1/256, and the sum of their squares (see
    `kernels.number_weights`)."""

    GRADIENT = 0
    SQUARES = 1


class Span(IntEnum):
    """Where the cells of a number begin among those of all numbers, how many are in use, and how many are allocated."""

    START = 0
    USED = 1
    SPACE = 2


class Cell(IntEnum):
    """A cell of a number: its interval, the count of all classes, then the count of each class, in 1/256 of a message.
    The count of all classes leaves negative counts out."""

    INTERVAL = 0
    HELD = 1
    COUNTS = 2
