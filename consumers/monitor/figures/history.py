"""The history at three resolutions; each keeps its points in a ring of slots, so their number is bounded."""

from __future__ import annotations

import msgspec

RINGS = {1: 1_800, 60: 1_440, 3_600: 8_760}
"""Seconds between points -> points kept: half an hour, a day, a year."""


class HistoryPoint(msgspec.Struct, frozen=True):
    """The figures at the end of the step of `step_s` seconds that began at `timestamp` (seconds since 1970).

    Accuracies are over the last 100 and 1,000 labelled mails and since the start, and those of the two baselines over
    the last 1,000; all are None while no mail is labelled. `features` is the number of words and pairs in the model.
    """

    step_s: int
    timestamp: int
    mails: int
    labelled: int
    accuracy_100: float | None
    accuracy_1000: float | None
    accuracy_start: float | None
    base_rate: float | None
    last_class_accuracy: float | None
    mails_per_s: float
    features: int


def begin_and_slot(step_s: int, timestamp: float) -> tuple[int, int]:
    """The start of the step of `step_s` seconds (a key of `RINGS`) that contains `timestamp` (in seconds since 1970),
    and the step's slot in its ring.

    >>> begin_and_slot(60, 125.0)
    (120, 2)
    """
    begin = int(timestamp // step_s) * step_s
    return begin, begin // step_s % RINGS[step_s]
