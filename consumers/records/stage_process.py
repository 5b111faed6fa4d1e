"""The frame of a stage's process: a slot of its machine, a log, and errors that restart it."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

from ..errors import PASSING, Restart
from ..log.base import Log
from ..runtime.log_lines import start_logging
from ..runtime.process_slot import Slot, take_slot
from ..settings import Settings
from .setup import open_ready_log

logger = logging.getLogger(__name__)


@contextmanager
def stage_process(settings: Settings, group: str, stage: str | None) -> Generator[tuple[Log, Slot]]:
    """Yield the log and a free process slot of this machine, which has the process's member name in the consumer
    `group`. The process logs under the name `stage`; None for its member name.

    Raises:
        Restart: It is unknown what was committed, the log has become unavailable, or its topics are being changed. The
            parent process has found the log in order, so these may be temporary.
    """
    slot = take_slot(settings, group)
    start_logging(stage or slot.member)
    try:
        with slot.lock, open_ready_log(settings, logger.warning, create=False) as log:
            yield log, slot
    except PASSING as error:
        raise Restart(f"starting again from the log: {error}") from error
