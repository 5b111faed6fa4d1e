"""A process that works for another one ends with it, also where that one is killed."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread

LOOK_S = 0.5


@contextmanager
def ending_with_parent() -> Generator[None]:
    """In the block this process ends when the one that started it is no more.

    Compiling does not look up: the process ends without cleaning up, so the block must not need that.
    """
    parent, done = os.getppid(), Event()

    def watch() -> None:
        while not done.wait(LOOK_S):
            if os.getppid() != parent:
                os._exit(1)

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()  # a process with two threads must not fork
