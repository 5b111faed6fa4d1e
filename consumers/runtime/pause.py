"""Wait without a clock.

`time.sleep` asks the system to wake it at a time of the monotonic clock. That call fails if the clock that Python reads
is not the system's own (under libfaketime, in some containers). `select` takes a duration, and works there.
"""

from __future__ import annotations

import select


def pause(seconds: float) -> None:
    """Wait for this many `seconds`, 0 or more; raises ValueError for less."""
    select.select((), (), (), seconds)
