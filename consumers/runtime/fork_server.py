"""Lets Ctrl-C end a fork server that is starting, without the traceback of Python's own handler.

The supervisor starts the server with SIGINT blocked. The server first imports this module, which handles and unblocks
the signal, and then what its processes need, which takes time. After that multiprocessing ignores SIGINT.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager

from .pause import pause


@contextmanager
def interrupts_held_back() -> Generator[None]:
    """Block SIGINT until the end of the block; in processes started there, until they call `take_interrupts`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def take_interrupts() -> None:
    """End this process on SIGINT without a message, a moment after the supervisor, which would else start a new one."""
    signal.signal(signal.SIGINT, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _leave(*_: object) -> None:
    pause(0.5)
    os._exit(128 + signal.SIGINT)
