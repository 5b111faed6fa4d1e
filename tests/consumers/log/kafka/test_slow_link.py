"""A backlog is read over a link too slow for full-sized answers within the request timeout of kafka-python."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from consumers.log import open_log
from consumers.log.base import GroupConsumer, Log, ProducerRecord, TopicPartition
from consumers.log.kafka.clients import FETCH_BYTES, make_partition, make_reader
from consumers.log.kafka.connection import connection
from consumers.log.kafka.slow_link import SLOW_BYTES
from consumers.records.schemas import EMAILS, LABELS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.kafka_broker import Cluster
from tests.support.log_bench import make_bench
from tests.support.ports import free_ports
from tests.support.slow_link import SlowLink
from tests.support.waiting import until

BYTES_A_SECOND = 200_000
"""Eight megabytes take 40 s, one takes 5 s."""


@pytest.fixture
def logs(kafka_or_skip, tmp_path) -> Iterator[tuple[Log, Log]]:
    """The log of one cluster, opened directly and over a slow link."""
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


def fetch_limit(client) -> int:
    return client._fetcher.config["max_partition_fetch_bytes"]


@pytest.mark.slow
def test_a_backlog_is_read_over_a_slow_link(logs):
    direct, slow = logs
    append_backlog(direct)
    consumer = join(slow)
    until(consumer.poll)
    assert fetch_limit(consumer._consumer) == SLOW_BYTES
    consumer.close()


@pytest.mark.slow
def test_committed_offsets_are_found_while_a_slow_answer_is_under_way(logs):
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


def test_the_fetch_size_is_reduced_by_a_timeout_and_restored_by_quick_answers(kafka, request, tmp_path):
    from kafka.errors import RequestTimedOutError

    bench = make_bench("kafka", request, tmp_path)
    log = bench.ready()
    append_backlog(log)
    partition = make_partition(log._settings.prefix + EMAILS, 0)
    reader = make_reader(connection(kafka.bootstrap, log._settings), wait_ms=1)
    reader.assign([partition])
    reader.seek(partition, 0)
    reader._fetcher._handle_fetch_error(1, RequestTimedOutError())
    assert fetch_limit(reader) == SLOW_BYTES
    until(lambda: reader.poll(timeout_ms=100) == {} and reader.position(partition) >= 90)
    assert fetch_limit(reader) == FETCH_BYTES
    reader.close()
    bench.close()
