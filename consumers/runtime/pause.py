"""Wait without a clock.

`time.sleep` asks the system to wake it at a time of the monotonic clock. That call fails where the clock that Python
reads is not the system's own (under libfaketime, in some containers); `select` is given a duration, and works there.
"""

from __future__ import annotations

import select


def pause(seconds: float) -> None:
    """Wait.

    Args:
        seconds: How long, 0 or more; ValueError else.
    """
    select.select((), (), (), seconds)
