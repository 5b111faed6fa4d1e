"""Ends a helper process together with its parent, even if the parent is killed."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread

LOOK_S = 0.5


@contextmanager
def ending_with_parent() -> Generator[None]:
    """During the block, end this process once its parent has ended.

    Compilation cannot be interrupted, so the process ends without cleaning up, and the block must not need any.
    """
    parent, finished = os.getppid(), Event()

    def watch() -> None:
        while not finished.wait(LOOK_S):
            if os.getppid() != parent:
                os._exit(1)

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()  # a process with two threads must not fork
