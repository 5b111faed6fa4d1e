"""A backlog that a slow link does not carry in the time in which the library waits for an answer."""

from __future__ import annotations

import random

from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.records.schemas import EMAILS, LABELS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.kafka_broker import Cluster
from tests.support.log_bench import until
from tests.support.ports import free_ports
from tests.support.slow_link import SlowLink

BYTES_A_SECOND = 200_000
"""Of eight megabytes it would take 40 s, of one 5 s."""


def test_a_backlog_is_read_over_a_slow_link(kafka_or_skip, tmp_path):
    cluster = Cluster(tmp_path)
    inner = free_ports(1)[0]
    link = SlowLink(inner, back=BYTES_A_SECOND)
    advertised = f"PLAINTEXT://{cluster.bootstrap},SLOW://127.0.0.1:{link.port}"
    cluster.add_listener("SLOW", inner, "PLAINTEXT", {"advertised.listeners": advertised})
    kafka = KafkaSettings(partitions=1)
    try:
        with open_log(Settings(log=f"kafka://{cluster.start().bootstrap}", kafka=kafka)) as log:
            log.create_topics(TOPICS, 1)
            log.append([ProducerRecord(EMAILS, b"m%d" % n, random.Random(n).randbytes(100_000), 0) for n in range(90)])
        with open_log(Settings(log=f"kafka://127.0.0.1:{link.port}", kafka=kafka)) as log:
            consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
            until(consumer.poll)
            consumer.close()
    finally:
        link.close()
        cluster.stop()
