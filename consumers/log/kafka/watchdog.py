"""End the process when a call without a timeout does not return."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache

from ...errors import STATUS_RESTART
from ...runtime.pause import pause

LOOK_S = 0.5
"""How often the thread checks. One thread for all blocks, because starting one takes a tenth of a one-mail commit."""

logger = logging.getLogger(__name__)
_running: dict[object, tuple[float, str, float]] = {}
"""The blocks that run now: deadline on the monotonic clock, description, and time limit in seconds."""


@contextmanager
def watchdog(what: str, limit_s: float) -> Generator[None]:
    """End the process with `STATUS_RESTART` soon after the block, which does `what` (for the log line), has run longer
    than `limit_s` seconds (more than 0)."""
    _start()
    block = object()
    _running[block] = time.monotonic() + limit_s, what, limit_s
    try:
        yield
    finally:
        del _running[block]


@cache
def _start() -> None:
    threading.Thread(target=_watch, name="watchdog", daemon=True).start()


def _watch() -> None:
    while True:
        pause(LOOK_S)
        for until, what, limit_s in list(_running.values()):
            if time.monotonic() > until:
                logger.warning("%s did not return within %.0f s; starting again from the log", what, limit_s)
                os._exit(STATUS_RESTART)
