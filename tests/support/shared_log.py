"""A log in memory whose consumers of one group hold the partitions that a test gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from consumers.log.base import TopicPartition
from consumers.log.memory import MemoryGroupConsumer, MemoryLog, Topics


class SharedConsumer(MemoryGroupConsumer):
    """A member among others; nobody fences it."""

    def hold(self, partitions: Iterable[int]) -> None:
        """Let the next poll bring these partitions of all topics."""
        self._places = frozenset(TopicPartition(topic, p) for topic in self.topics for p in partitions)
        self.reassign()

    topics: tuple[str, ...] = ()

    def _check(self) -> None:
        pass


class SharedLog(MemoryLog):
    """One opening; its consumers begin with these partitions."""

    def __init__(self, topics: Topics, partitions: Iterable[int]) -> None:
        super().__init__(topics)
        self._held = tuple(partitions)

    def join_group(self, group: str, topics: Sequence[str], member: str, output: str | None = None) -> SharedConsumer:
        consumer = SharedConsumer(self, group, frozenset())
        consumer.topics = tuple(topics)
        consumer.hold(self._held)
        return consumer
