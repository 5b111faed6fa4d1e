"""What the page says of the processes of a stage."""

from __future__ import annotations

import time

from consumers.log.base import Log
from consumers.monitor.health import HealthObserver


def stage_states(log: Log, stage: str) -> dict[str, str]:
    """The state of each process by its place, after the name of the host: what it waits for, where it says so."""
    found = [one for one in HealthObserver(log).look(time.time()).stages if one.stage == stage and one.member]
    return {one.member.split(" ", 1)[1]: one.note or one.state for one in found}
