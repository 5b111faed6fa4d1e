"""How many mails train a model, how many choose its settings, and how many test it."""

from __future__ import annotations

from ..errors import UserError

TENTH = 10
"""Validation and test get one mail of this many each, unless other sizes are asked for."""
LEAST = 5
"""Minimum size of a part, unless fewer are asked for, because fewer mails show nothing."""

Sizes = tuple[int | None, int | None, int | None]
"""Mails asked for training, validation and test. None is a tenth for validation and test, and the rest for training."""


def part_sizes(asked: Sizes, there: int) -> tuple[int, int, int]:
    """The sizes of training, validation and test: as `asked`, each 1 or more, or in the same proportions if fewer mails
    are `there`.

    Raises:
        UserError: A part would have fewer than `LEAST` mails, and fewer than asked for.

    >>> part_sizes((None, None, None), 500), part_sizes((100, 50, 50), 500), part_sizes((100, 50, 50), 100)
    ((400, 50, 50), (100, 50, 50), (50, 25, 25))
    """
    validation, test = (there // TENTH if size is None else size for size in asked[1:])
    train = max(0, there - validation - test) if asked[0] is None else asked[0]
    total = train + validation + test
    if total > there:
        validation, test = there * validation // total, there * test // total
        train = there - validation - test
    sizes = train, validation, test
    if any(size < (LEAST if want is None else min(want, LEAST)) for size, want in zip(sizes, asked, strict=True)):
        raise UserError(
            f"{there} labelled mails would be split {' / '.join(map(str, sizes))} for training, validation and test, "
            f"but each part needs {LEAST}: give more mails"
        )
    return sizes
