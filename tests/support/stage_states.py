"""The states of a stage's processes, as the page shows them."""

from __future__ import annotations

import time

from consumers.log.base import Log
from consumers.monitor.health import HealthObserver


def stage_states(log: Log, stage: str) -> dict[str, str]:
    """The note of each process, or else its state, by its name without the host."""
    found = [one for one in HealthObserver(log).look(time.time()).stages if one.stage == stage and one.member]
    return {one.member.split(" ", 1)[1]: one.note or one.state for one in found}
