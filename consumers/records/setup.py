"""Opens the log of the settings with all topics in place."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import ConsumerError, TopicMismatch
from ..log import open_log
from ..log.base import Log
from ..settings import Settings
from .schemas import TOPICS


def open_ready_log(settings: Settings, notify: Callable[[str], None], create: bool = True) -> Log:
    """Open the log, and create missing topics.

    Args:
        settings: The log's address, and the number of partitions of new topics.
        notify: Called with a line about the topics that were created, if any.
        create: Whether to create a log in a folder that has none. Must be False if this process or its parent has
            opened the log before, because a folder that was moved away must not be replaced with an empty log.

    Raises:
        LogUnavailable: The log does not answer, or the folder has no log and `create` is False.
        TopicMismatch: A topic exists with other settings.
    """
    log = open_log(settings, create)
    try:
        created = log.create_topics(TOPICS, settings.kafka.partitions)
    except BaseException:
        log.close()
        raise
    if created:
        notify(f"created topics {', '.join(created)} on {settings.log}")
    return log


def open_existing_log(settings: Settings) -> Log:
    """Open the log for a command that reads or changes what is on it: nothing is created.

    Raises LogUnavailable if there is no log or it does not answer, UnknownTopic if a topic is missing, and
    TopicMismatch if partitions were added to one of the co-partitioned topics and not to the others.
    """
    log = open_log(settings, create=False)
    try:
        counts = {topic: log.partitions(topic.name) for topic in TOPICS}
        # By their names on the brokers: on SQLite each topic has one partition.
        together = {settings.kafka.prefix + topic.name: n for topic, n in counts.items() if topic.co_partitioned}
        if len(set(together.values())) > 1:
            raise TopicMismatch(
                f"{settings.log}: topics need equal partition counts and have {together}; add to the smaller ones "
                f"(kafka-topics --alter --partitions {max(together.values())} --topic ...)"
            )
    except ConsumerError:
        log.close()
        raise
    return log
