"""The past in three resolutions: each point is kept in a ring of slots, so it never grows."""

from __future__ import annotations

import msgspec

RINGS = {1: 1_800, 60: 1_440, 3_600: 8_760}
"""Seconds between points -> points kept: half an hour, a day, a year."""


class Point(msgspec.Struct, frozen=True, array_like=True):
    """How things stood at the end of a step that began at `at` (seconds since 1970, of the log's time).

    Accuracies are over the last 100 and 1,000 labelled mails and since the start; `base` and `last` are the two
    baselines over the last 1,000; None while there is nothing to count.
    """

    at: int
    mails: int
    labelled: int
    accuracy_100: float | None
    accuracy_1000: float | None
    accuracy_start: float | None
    base: float | None
    last: float | None
    mails_per_s: float
    features: int


def slot(step: int, at: float) -> tuple[int, int]:
    """The beginning of the step that a time lies in, and its slot in the ring of that step.

    >>> slot(60, 125.0)
    (120, 2)
    """
    begin = int(at // step) * step
    return begin, begin // step % RINGS[step]
