"""What a process of a stage is: a slot of its machine, a log, and errors that start it again."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..errors import PASSING, Restart
from ..log.base import Log
from ..runtime.log_lines import start_logging
from ..runtime.process_slot import Slot, take_slot
from ..settings import Settings
from .setup import open_ready_log


@contextmanager
def stage_process(settings: Settings, group: str, stage: str | None) -> Generator[tuple[Log, Slot]]:
    """Yield the log and a free process slot of this machine, whose member name is the process's in its group.

    Args:
        settings: Which log.
        group: The consumer group.
        stage: The name under which the process logs; None for its member name.

    Raises:
        Restart: What was committed is in doubt, or the log has gone away, or its topics are being changed: whoever
            started this process has found it in order.
    """
    slot = take_slot(settings, group)
    start_logging(stage or slot.member)
    try:
        with slot.lock, open_ready_log(settings, lambda text: None, create=False) as log:
            yield log, slot
    except PASSING as error:
        raise Restart(f"starting again from the log: {error}") from error
