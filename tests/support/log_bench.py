"""A log of any kind, for tests that run on all kinds."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from consumers.log import open_log
from consumers.log.base import GroupConsumer, Log, ProducerRecord, Record, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.records.schemas import EMAILS, LABELS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.waiting import until

KINDS = ("memory", "sqlite", "kafka")
GROUP, MEMBER = "workers", "here-0"


class Bench:
    """A log that can be opened several times; `close` closes everything that was opened."""

    def __init__(self, kind: str, new: Callable[[], Log]) -> None:
        self.kind = kind
        self._new = new
        self._opened: list[Log | GroupConsumer] = []

    def open(self) -> Log:
        """Open the log once more."""
        log = self._new()
        self._opened.append(log)
        return log

    def ready(self) -> Log:
        """The log with all topics."""
        log = self.open()
        log.create_topics(TOPICS, partitions=2)
        return log

    def join_group(self, log: Log, member: str = MEMBER) -> GroupConsumer:
        """A member of the group that has been assigned its partitions."""
        consumer = log.join_group(GROUP, (EMAILS, LABELS), member)
        self._opened.append(consumer)
        until(lambda: consumer.poll(timeout_s=0.5) == [] and consumer.assignment)
        return consumer

    def close(self) -> None:
        """Close everything that was opened."""
        for opened in reversed(self._opened):
            opened.close()


def mails(*numbers: int) -> list[ProducerRecord]:
    """Small mails of partition 0 with these numbers."""
    return [ProducerRecord(EMAILS, b"id-%d" % n, b"mail %d" % n, 0) for n in numbers]


def make_bench(kind: str, request: pytest.FixtureRequest, folder: Path) -> Bench:
    """A bench with a log of this kind; `request` provides the Kafka broker, and `folder` is for SQLite files."""
    match kind:
        case "memory":
            topics = Topics()
            return Bench(kind, lambda: MemoryLog(topics))
        case "sqlite":
            settings = Settings(log=f"sqlite:{folder / 'log'}")
        case "kafka":
            cluster = request.getfixturevalue("kafka")
            prefix = f"t{uuid.uuid4().hex[:8]}-"
            settings = Settings(log=f"kafka://{cluster.bootstrap}", kafka=KafkaSettings(prefix=prefix))
        case _:
            raise ValueError(f"log {kind!r}: make_bench does not open such a log")
    return Bench(kind, lambda: open_log(settings))


def take(consumer: GroupConsumer, count: int, paused: Collection[TopicPartition] = ()) -> list[Record]:
    """Poll until `count` records have arrived, none of them of the `paused` partitions."""
    records: list[Record] = []
    until(lambda: records.extend(consumer.poll(timeout_s=0.2, paused=paused)) or len(records) >= count)
    return records


def everything(log: Log, topic: str) -> list[Record]:
    """All records of a topic."""
    return [record for place in log.places(topic) for record in log.scan(place)]


def soon(log: Log, topic: str, count: int) -> list[Record]:
    """Wait for `count` records of a topic, because on Kafka readers see a commit a moment later; return all."""
    until(lambda: len(everything(log, topic)) >= count)
    return everything(log, topic)
