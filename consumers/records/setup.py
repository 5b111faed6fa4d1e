"""Open the log of the settings with all topics in place; every command begins here."""

from __future__ import annotations

from collections.abc import Callable

from ..log import open_log
from ..log.base import Log
from ..settings import Settings
from .schemas import TOPICS


def open_ready_log(settings: Settings, notify: Callable[[str], None]) -> Log:
    """The log, with missing topics created and `notify` told so.

    Raises LogUnavailable when it does not answer and TopicMismatch when a topic is kept otherwise.
    """
    log = open_log(settings)
    created = log.create_topics(TOPICS, settings.kafka.partitions)
    if created:
        notify(f"created topics {', '.join(created)} on {settings.log}")
    return log
