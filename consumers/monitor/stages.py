"""The stages: which of them a log needs, which topics they read, and the commands that start them."""

from __future__ import annotations

from ..records.heartbeat import COMBINER, FEED, MONITOR, STAGES, WORKER
from ..records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS
from ..settings import LearnerSettings

NEEDED = (WORKER, MONITOR)
"""The stages that every log needs."""
INPUTS = {WORKER: (EMAILS, LABELS), MONITOR: (PREDICTIONS, LABELS), COMBINER: (MODEL,)}
"""The topics read by each stage that a log may need."""
COMMANDS = {stage: f"stream-nb {stage}" for stage in STAGES} | {FEED: "stream-nb feed PATH"}


def needed_stages(learner: LearnerSettings) -> tuple[str, ...]:
    """The stages that a log needs with these settings."""
    return (*NEEDED, COMBINER) if learner.follow == "sums" else NEEDED
