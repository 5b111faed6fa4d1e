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
    """Let the block run for `limit_s` seconds; then end the process with the status that asks for a new start.

    `what` names the block in the message on stderr.
    """

    def end_process() -> None:
        sys.stderr.write(f"stream-nb: {what} did not come back within {limit_s:.0f} s; starting again from the log\n")
        sys.stderr.flush()
        os._exit(STATUS_RESTART)

    timer = threading.Timer(limit_s, end_process)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
