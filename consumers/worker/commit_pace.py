"""How much goes into one commit: what the log takes in one to three seconds at most, as measured.

A transaction that lasts too long is aborted, and a worker that then tried the same again would never go on. So commits
begin small, in each process anew, and grow as long as the log takes them quickly.
"""

from __future__ import annotations

QUICK_S = 1.0
SLOW_S = 3.0
"""A quarter of what the flush of a transaction on Kafka may last; a loaded broker takes less for any size."""
LEAST_BYTES = 100_000
FIRST_BYTES = 200_000
MOST_BYTES = 8_000_000


class CommitPace:
    """The size that a commit should have; `budget` is in bytes before compression, `LEAST_BYTES` to `MOST_BYTES`."""

    def __init__(self) -> None:
        self.budget = FIRST_BYTES

    def note(self, size: int, seconds: float) -> None:
        """Note that a commit of so many bytes took so long.

        Args:
            size: Bytes, from 0.
            seconds: From the first byte to the end of the commit.
        """
        if seconds > SLOW_S:
            self.budget = max(LEAST_BYTES, self.budget // 2)
        elif seconds < QUICK_S and 2 * size > self.budget:
            self.budget = min(MOST_BYTES, 2 * self.budget)
