"""What is stored for each number: rows that Python and the kernels share, each field named."""

from __future__ import annotations

from enum import IntEnum

LOWEST_BIT = 1126
"""The lowest bit of an exact sum of floats is 2^-1126, that of an exact sum of squares is 2^-2252."""


class Moment(IntEnum):
    """A row of exact moments: the number of values, in 1/256 of a message, the range of digits they use, then the
    digits of their sum and of the sum of their squares (see `kernels.tabular.exact_moments`). There is room for 2^45
    values of any size."""

    COUNT = 0
    BEGIN = 1
    END = 2
    SUM = 3
    SQUARES = 74


MOMENTS = Moment.SQUARES + 139


class NumberSum(IntEnum):
    """The sum of the gradients of a number's weight over past labels, in 1/256, and the sum of their squares (see
    `kernels.tabular.number_weights`)."""

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
