"""Garbage collection kept out of the way where much is made that stays."""

from __future__ import annotations

import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager

YOUNG_OBJECTS = 2_000
"""Objects made between two looks for garbage. Each commit leaves some hundred of the Kafka client that only the
collector frees; for 100,000 of them at once it takes 0.1 s, in which mail waits."""

_lock = threading.Lock()
_blocks: list[bool] = []
"""For each block that runs, in any thread, whether garbage was collected before the first of them began."""


@contextmanager
def no_collection() -> Generator[None]:
    """While the block runs, nothing looks for garbage in cycles, in any thread of the process.

    Of what is read from a log nothing is such garbage, and to walk all of it again and again takes longer than to read
    it.
    """
    with _lock:
        _blocks.append(_blocks[0] if _blocks else gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _blocks.pop() and not _blocks:
                gc.enable()


def collect_in_short_stops() -> None:
    """From now on look for garbage often, and only among what is made from now on.

    To walk again, at each full collection, what is loaded by now would stop the work for 0.2 s.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
