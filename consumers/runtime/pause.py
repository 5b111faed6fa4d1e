"""Waiting without a clock.

`time.sleep` asks the system to wake it at a time of the monotonic clock, and is refused where that clock and the one
that counts are not the same (under libfaketime, in some containers). A time that passes needs no clock.
"""

from __future__ import annotations

import select


def pause(seconds: float) -> None:
    """Wait for some seconds, 0 or more."""
    select.select((), (), (), seconds)
