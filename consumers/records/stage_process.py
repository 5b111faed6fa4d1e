"""What a process of a stage is: a slot of its machine, a log, and errors that start it again."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..errors import PASSING, Restart
from ..log.base import Log
from ..runtime.log_lines import start_logging
from ..runtime.process_slot import take_slot
from ..settings import Settings
from .setup import open_ready_log


@contextmanager
def stage_process(settings: Settings, group: str, stage: str) -> Generator[tuple[Log, str]]:
    """Yield the log and the process's name in its group, from a free process slot of this machine.

    Args:
        settings: Which log.
        group: The consumer group.
        stage: The name under which the process logs.

    Raises:
        Restart: What was committed is in doubt, or the log has gone away, or its topics are being changed: whoever
            started this process has found it in order.
    """
    slot = take_slot(settings, group)
    start_logging(stage)
    try:
        with slot.lock, open_ready_log(settings, lambda text: None, create=False) as log:
            yield log, slot.member
    except PASSING as error:
        raise Restart(f"starting again from the log: {error}") from error
