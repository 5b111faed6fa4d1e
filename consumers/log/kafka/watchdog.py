"""End the process when a call that has no timeout of its own does not come back."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

from ...errors import STATUS_RESTART


@contextmanager
def watchdog(what: str, limit_s: float) -> Generator[None]:
    """Let the block run for `limit_s` seconds; then the process ends with the status that asks for a new start."""

    def bark() -> None:
        sys.stderr.write(f"stream-nb: {what} did not come back within {limit_s:.0f} s; starting again from the log\n")
        sys.stderr.flush()
        os._exit(STATUS_RESTART)

    timer = threading.Timer(limit_s, bark)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
