"""Tells a topic from a recreated one of the same name, with which a consumer would silently continue.

The new topic has other records at the same offsets, so positions in the old topic, and what was learned from its
records, do not apply to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import LogDamaged


def topic_version(consumer: Any, topic: str) -> str:
    """The number of partitions of `topic` (its name on the broker), and its id, by a `consumer`
    (`kafka.KafkaConsumer`): one of them changes when partitions are added, or when the topic is deleted and created
    again."""
    return f"{len(consumer.partitions_for_topic(topic) or ())}.{consumer._cluster.topic_id(topic) or ''}"


class TopicIds:
    """The ids that the brokers gave to the `topics` (their names on the broker) of a `consumer`
    (`kafka.KafkaConsumer`)."""

    def __init__(self, consumer: Any, topics: Sequence[str]) -> None:
        self._cluster: Any = consumer._cluster
        self._topics = topics
        self._ids: dict[str, object] = {}

    def check(self) -> None:
        """Raise LogDamaged if a topic has another id than at the first check; costs no request."""
        for topic in self._topics:
            found = self._cluster.topic_id(topic)
            if found is None or not found.int:  # while the topic does not exist
                continue
            if self._ids.setdefault(topic, found) != found:
                raise LogDamaged(
                    f"topic {topic} was deleted and created again under this stage; docs/guarantees.md says what to do"
                )
