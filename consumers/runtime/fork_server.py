"""Ctrl-C while the fork server starts: it ends without the traceback that Python's own handler prints.

The supervisor starts the server with SIGINT held back. The server imports this module first, which takes the signal,
then what its processes need, which lasts. multiprocessing ignores SIGINT after that.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def interrupts_held_back() -> Generator[None]:
    """SIGINT waits until the end of the block, and in processes started there until they import this module."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def take_interrupts() -> None:
    """End this process on SIGINT without a message, a moment after the supervisor: else it would start a new one."""
    signal.signal(signal.SIGINT, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _leave(*_: object) -> None:
    time.sleep(0.5)
    os._exit(128 + signal.SIGINT)
