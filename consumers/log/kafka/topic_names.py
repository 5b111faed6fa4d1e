"""Between our words and Kafka's: topics with a prefix, places, records, sends."""

from __future__ import annotations

from ..base import ProducerRecord, Record, TopicPartition
from .clients import KafkaPartition, KafkaProducer


class Names:
    """Translates for one prefix of topic names."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def topic(self, name: str) -> str:
        """A topic's name on the broker."""
        return self._prefix + name

    def place(self, at: TopicPartition) -> KafkaPartition:
        """A partition as Kafka names it."""
        return KafkaPartition(self._prefix + at.topic, at.partition)

    def ours(self, place: KafkaPartition) -> TopicPartition:
        """A partition as we name it."""
        return TopicPartition(place.topic.removeprefix(self._prefix), place.partition)

    def record(self, message) -> Record:
        """A consumed message as a record."""
        topic = message.topic.removeprefix(self._prefix)
        at = message.timestamp / 1000
        return Record(topic, message.partition, message.offset, message.key, message.value, at)

    def send(self, producer: KafkaProducer, draft: ProducerRecord):
        """Hand a draft to a producer; returns the future of its acknowledgement."""
        at_ms = None if draft.at is None else round(draft.at * 1000)
        return producer.send(
            self._prefix + draft.topic,
            value=draft.value,
            key=draft.key,
            partition=draft.partition,
            timestamp_ms=at_ms,
        )
