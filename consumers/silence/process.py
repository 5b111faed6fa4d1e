"""A process of the stage `silence`, which `stream-nb silence` runs under a supervisor."""

from __future__ import annotations

from threading import Event

from ..settings import Settings

PRELOAD = f"{__package__}.stage"
"""The module to import before the process is forked (`supervise`)."""


def run(settings: Settings, stop: Event) -> None:
    """Work until `stop` is set; raises Restart as `stage_process` does."""
    # Imported here, because the supervisor imports this module and must stay small.
    from ..records.heartbeat import SILENCE, HeartbeatWriter
    from ..records.stage_process import stage_process
    from .stage import SilenceStage

    with stage_process(settings, settings.silence.group, SILENCE) as (log, slot):
        stage = SilenceStage(log, settings, slot.member)
        heartbeat = HeartbeatWriter(log, SILENCE, slot.member)
        stage.run(stop, lambda ready: heartbeat.beat(stopped=stop.is_set()))
