"""A log in memory on which a test assigns partitions to the members of a group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from consumers.log.base import TopicPartition
from consumers.log.memory import MemoryGroupConsumer, MemoryLog, Topics


class SharedConsumer(MemoryGroupConsumer):
    """A member that is never fenced."""

    def hold(self, partitions: Iterable[int]) -> None:
        """Assign these partitions of all topics at the next poll."""
        self._places = frozenset(TopicPartition(topic, p) for topic in self.topics for p in partitions)
        self.reassign()

    topics: tuple[str, ...] = ()

    def _check(self) -> None:
        pass


class SharedLog(MemoryLog):
    """The log; its consumers begin with these partitions."""

    def __init__(self, topics: Topics, partitions: Iterable[int]) -> None:
        super().__init__(topics)
        self._held = tuple(partitions)

    def join_group(self, group: str, topics: Sequence[str], member: str, output: str | None = None) -> SharedConsumer:
        consumer = SharedConsumer(self, group, frozenset())
        consumer.topics = tuple(topics)
        consumer.hold(self._held)
        return consumer
