"""A backlog that a slow link does not carry in the time in which the library waits for an answer."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from consumers.log import open_log
from consumers.log.base import GroupConsumer, Log, ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, LABELS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.kafka_broker import Cluster
from tests.support.log_bench import until
from tests.support.ports import free_ports
from tests.support.slow_link import SlowLink

BYTES_A_SECOND = 200_000
"""Of eight megabytes it would take 40 s, of one 5 s."""


@pytest.fixture
def logs(kafka_or_skip, tmp_path) -> Iterator[tuple[Log, Log]]:
    """One cluster's log, directly and over a slow link."""
    cluster = Cluster(tmp_path)
    inner = free_ports(1)[0]
    link = SlowLink(inner, back=BYTES_A_SECOND)
    advertised = f"PLAINTEXT://{cluster.bootstrap},SLOW://127.0.0.1:{link.port}"
    cluster.add_listener("SLOW", inner, "PLAINTEXT", {"advertised.listeners": advertised})
    kafka = KafkaSettings(partitions=1)
    try:
        direct = open_log(Settings(log=f"kafka://{cluster.start().bootstrap}", kafka=kafka))
        direct.create_topics(TOPICS, 1)
        with direct, open_log(Settings(log=f"kafka://127.0.0.1:{link.port}", kafka=kafka)) as slow:
            yield direct, slow
    finally:
        link.close()
        cluster.stop()


def append_backlog(log: Log) -> None:
    log.append([ProducerRecord(EMAILS, b"m%d" % n, random.Random(n).randbytes(100_000), 0) for n in range(90)])


def join(log: Log) -> GroupConsumer:
    return log.join_group("workers", (EMAILS, LABELS), "here-0")


def test_a_backlog_is_read_over_a_slow_link(logs):
    direct, slow = logs
    append_backlog(direct)
    consumer = join(slow)
    until(consumer.poll)
    consumer.close()


def test_positions_are_found_behind_an_answer_that_a_slow_link_does_not_carry_in_time(logs):
    direct, slow = logs
    consumer = join(slow)
    until(lambda: consumer.poll() or consumer.assignment)
    append_backlog(direct)
    place = TopicPartition(EMAILS, 0)

    def read() -> list[object]:
        assert consumer.committed(place) == 0
        return consumer.poll(timeout_s=0.02)

    until(read)
    consumer.close()
