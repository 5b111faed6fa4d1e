"""An empty log in memory."""

from __future__ import annotations

from consumers.log.memory import MemoryLog
from consumers.records.schemas import TOPICS


def new_log(partitions: int = 1) -> MemoryLog:
    """A log with all topics; mails and labels have this many partitions."""
    log = MemoryLog()
    log.create_topics(TOPICS, partitions)
    return log
