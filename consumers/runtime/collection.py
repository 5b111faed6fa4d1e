"""Controls garbage collection where many long-lived objects are created."""

from __future__ import annotations

import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager

YOUNG_OBJECTS = 2_000
"""Objects created between two collections. Each commit leaves a few hundred cyclic objects of the Kafka client;
collecting 100,000 of them at once takes 0.1 s, in which mail waits."""
MANY_RECORDS, MANY_YOUNG_OBJECTS = 100, 200_000
"""A commit of many records leaves no more cycles than one of few, but a collection traverses all that is kept of these
records, once for each of them. So then there are more objects between two."""

_lock = threading.Lock()
_blocks: list[bool] = []
"""One item per running block, in any thread: whether collection was enabled when it began. That of the first one, which
is taken off last, decides."""


@contextmanager
def no_collection() -> Generator[None]:
    """Disable cyclic garbage collection during the block, in all threads of the process.

    Records read from a log contain no cycles, and traversing them again and again takes longer than reading them.
    """
    with _lock:
        _blocks.append(gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            if _blocks.pop() and not _blocks:
                gc.enable()


def collect_in_short_stops() -> None:
    """From now on collect often, and only objects created from now on.

    Traversing everything loaded so far would stop the work for 0.2 s in each full collection.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def collect_rarely() -> None:
    """From now on collect only after `MANY_YOUNG_OBJECTS`: for work whose objects are not in cycles, or soon freed."""
    gc.set_threshold(MANY_YOUNG_OBJECTS)


def collect_after_commit_of(records: int) -> None:
    """Set how many objects are created between two collections, after a commit of so many `records`."""
    gc.set_threshold(MANY_YOUNG_OBJECTS if records >= MANY_RECORDS else YOUNG_OBJECTS)
