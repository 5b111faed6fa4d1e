"""Converts topic names, partitions and records between the log and kafka-python."""

from __future__ import annotations

from ..base import ProducerRecord, Record, TopicPartition
from .client_types import Acknowledgement, Message, Partition, Producer
from .clients import make_partition


class TopicNames:
    """Converts with one `prefix` of all names on the broker, empty for none."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def topic(self, name: str) -> str:
        """The name on the broker of the topic `name`."""
        return self._prefix + name

    def partition(self, place: TopicPartition) -> Partition:
        """Convert a partition of the log to the library's type."""
        return make_partition(self._prefix + place.topic, place.partition)

    def place(self, partition: Partition) -> TopicPartition:
        """Convert a partition of the library to the log's type."""
        return TopicPartition(partition.topic.removeprefix(self._prefix), partition.partition)

    def record(self, message: Message) -> Record:
        """Convert a consumed message to a record."""
        topic = message.topic.removeprefix(self._prefix)
        timestamp = message.timestamp / 1000
        return Record(topic, message.partition, message.offset, message.key, message.value, timestamp)

    def send(self, producer: Producer, record: ProducerRecord) -> Acknowledgement:
        """Send a record with a producer; returns the future of its acknowledgement."""
        timestamp_ms = None if record.timestamp is None else round(record.timestamp * 1000)
        return producer.send(
            self._prefix + record.topic,
            value=record.value,
            key=record.key,
            partition=record.partition,
            timestamp_ms=timestamp_ms,
        )
