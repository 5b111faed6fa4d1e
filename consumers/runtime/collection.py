"""Garbage collection kept out of the way where much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Generator[None]:
    """While the block runs, nothing looks for garbage in cycles, in any thread of the process.

    Of what is read from a log nothing is such garbage, and to walk all of it again and again takes longer than to read
    it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
