"""Open the log of the settings with all topics in place."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ConsumerError
from ..log import open_log
from ..log.base import Log
from ..settings import Settings
from .schemas import TOPICS


def open_ready_log(settings: Settings, notify: Callable[[str], None], create: bool = True) -> Log:
    """The log; missing topics are created first.

    Args:
        settings: Which log, and with how many partitions.
        notify: Called with a line about the topics that were created, if any.
        create: Whether a folder without a log gets one. Not where a process opens again what it, or whoever started it,
            has reached before: a folder that was moved away must not get an empty log in its place.

    Raises:
        LogUnavailable: It does not answer, or the folder has no log and shall get none.
        TopicMismatch: A topic exists with other settings.
    """
    log = open_log(settings, create)
    created = log.create_topics(TOPICS, settings.kafka.partitions)
    if created:
        notify(f"created topics {', '.join(created)} on {settings.log}")
    return log


def open_existing_log(settings: Settings) -> Log:
    """The log, for a command that only reads: nothing is created.

    Raises LogUnavailable when there is none or it does not answer, and UnknownTopic when a topic is missing.
    """
    log = open_log(settings, create=False)
    try:
        for topic in TOPICS:
            log.partitions(topic.name)
    except ConsumerError:
        log.close()
        raise
    return log
