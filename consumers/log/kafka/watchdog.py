"""End the process when a call that has no timeout of its own does not come back."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager

from ...errors import STATUS_RESTART

logger = logging.getLogger(__name__)


@contextmanager
def watchdog(what: str, limit_s: float) -> Generator[None]:
    """Let the block run for some time; then end the process with the status that asks for a new start.

    Args:
        what: What the block does, for the log line.
        limit_s: How long it may run, in seconds, more than 0.
    """

    def end_process() -> None:
        logger.warning("%s did not come back within %.0f s; starting again from the log", what, limit_s)
        os._exit(STATUS_RESTART)

    timer = threading.Timer(limit_s, end_process)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
