"""A process of the stage `combiner`, which `stream-nb combiner` runs under a supervisor."""

from __future__ import annotations

from threading import Event

from ..settings import Settings

PRELOAD = f"{__package__}.stage"
"""The module to import before the process is forked (`supervise`)."""


def run(settings: Settings, stop: Event) -> None:
    """Work until `stop` is set; raises Restart as `stage_process` does."""
    # Imported here, because the supervisor imports this module and must stay small.
    from ..records.heartbeat import COMBINER, HeartbeatWriter
    from ..records.stage_process import stage_process
    from .stage import CombinerStage

    with stage_process(settings, settings.combiner.group, COMBINER) as (log, slot):
        stage = CombinerStage(log, settings, slot.member)
        heartbeat = HeartbeatWriter(log, COMBINER, slot.member, stage.progress)
        stage.run(stop, lambda ready: heartbeat.beat(stopped=stop.is_set()))
