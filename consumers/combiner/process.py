"""A process of the stage `combiner`: what `stream-nb combiner` runs under a supervisor."""

from __future__ import annotations

from threading import Event

from ..errors import PASSING, Restart
from ..settings import Settings

PRELOAD = f"{__package__}.stage"
"""The module to import before the process is forked (`supervise`)."""


def run(settings: Settings, stop: Event) -> None:
    """Work in a free process slot of this machine until `stop` is set.

    Raises Restart when what was committed is in doubt, also where the log has gone away, or its topics are being
    changed.
    """
    # Imported here: the supervisor refers to this function, and must stay small.
    from ..records.heartbeat import COMBINER, HeartbeatWriter
    from ..records.setup import open_ready_log
    from ..runtime.log_lines import start_logging
    from ..runtime.process_slot import take_slot
    from .stage import CombinerStage

    slot = take_slot(settings, settings.combiner.group)
    start_logging("combiner")
    try:
        with slot.lock, open_ready_log(settings, lambda text: None, create=False) as log:
            stage = CombinerStage(log, settings, slot.member)
            heartbeat = HeartbeatWriter(log, COMBINER, slot.member, stage.progress)
            stage.run(stop, lambda ready: heartbeat.beat(stopped=stop.is_set()))
    except PASSING as error:
        raise Restart(f"starting again from the log: {error}") from error
