"""The size of a commit, adapted so that the log writes it in about two seconds.

A transaction that takes too long is aborted, and a worker that retried the same one would never get further. So each
process starts with small commits, and enlarges them as long as the log writes them quickly.
"""

from __future__ import annotations

SHORTEST_S = 0.25
"""A shorter time says little about the size that the log can write in `GOAL_S`."""
QUICK_S = 1.0
GOAL_S = 2.0
SLOW_S = 3.0
"""A quarter of the longest flush that a Kafka transaction allows; even a loaded broker writes any size in less."""
LEAST_BYTES = 100_000
FIRST_BYTES = 200_000
MOST_BYTES = 8_000_000


class CommitPace:
    """The target size of a commit: `budget`, in bytes before compression, from `LEAST_BYTES` to `MOST_BYTES`."""

    def __init__(self) -> None:
        self.budget = FIRST_BYTES

    def note(self, size: int, seconds: float) -> None:
        """Adapt the budget to a commit of `size` bytes, 0 or more, that took this many `seconds` from its first byte to
        its end."""
        if seconds > SLOW_S:
            self.budget = max(LEAST_BYTES, self.budget // 2)
        elif seconds < QUICK_S and 2 * size > self.budget:
            self.budget = min(MOST_BYTES, int(GOAL_S / max(SHORTEST_S, seconds) * self.budget))
