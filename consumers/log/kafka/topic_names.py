"""Translate between the log's terms and those of kafka-python: topic names with their prefix, partitions, records."""

from __future__ import annotations

from ..base import ProducerRecord, Record, TopicPartition
from .client_types import Acknowledgement, Message, Partition, Producer
from .clients import make_partition


class Names:
    """Translates for one prefix of topic names.

    Args:
        prefix: Stands before each name on the broker; empty for none.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def topic(self, name: str) -> str:
        """The name on the broker of the topic `name`."""
        return self._prefix + name

    def partition(self, place: TopicPartition) -> Partition:
        """A partition as the library names it."""
        return make_partition(self._prefix + place.topic, place.partition)

    def place(self, partition: Partition) -> TopicPartition:
        """A partition as the log names it."""
        return TopicPartition(partition.topic.removeprefix(self._prefix), partition.partition)

    def record(self, message: Message) -> Record:
        """A consumed message as a record."""
        topic = message.topic.removeprefix(self._prefix)
        timestamp = message.timestamp / 1000
        return Record(topic, message.partition, message.offset, message.key, message.value, timestamp)

    def send(self, producer: Producer, record: ProducerRecord) -> Acknowledgement:
        """Hand a record to a producer; returns the future of its acknowledgement."""
        timestamp_ms = None if record.timestamp is None else round(record.timestamp * 1000)
        return producer.send(
            self._prefix + record.topic,
            value=record.value,
            key=record.key,
            partition=record.partition,
            timestamp_ms=timestamp_ms,
        )
