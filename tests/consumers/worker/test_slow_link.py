"""A worker with a slow link to the brokers keeps working, whatever the size of the model."""

from __future__ import annotations

import random
import time

import pytest

from consumers.evaluation.verify import verify
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.model.replica import Replica
from consumers.records.schemas import EMAILS, LABELS, TOPICS, LabelRecord, encode
from consumers.settings import KafkaSettings, Settings
from consumers.worker.worker import Worker
from tests.support.kafka_broker import Cluster
from tests.support.ports import free_ports
from tests.support.slow_link import SlowLink

BYTES_A_SECOND = 60_000
MAILS = 800
LONGEST_S = 600.0


@pytest.fixture
def broker_and_slow_link(kafka_or_skip, tmp_path):
    """A broker and a slow link to it."""
    cluster = Cluster(tmp_path)
    inner = free_ports(1)[0]
    link = SlowLink(inner, BYTES_A_SECOND)
    advertised = f"PLAINTEXT://{cluster.bootstrap},SLOW://127.0.0.1:{link.port}"
    cluster.add_listener("SLOW", inner, "PLAINTEXT", {"advertised.listeners": advertised})
    try:
        yield cluster.start(), link
    finally:
        link.close()
        cluster.stop()


@pytest.mark.slow
def test_over_a_slow_link_a_growing_model_is_written_without_a_restart(broker_and_slow_link, monkeypatch):
    """All deltas, or a whole snapshot, take longer over this link than a transaction may last."""
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 500_000)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    cluster, link = broker_and_slow_link
    direct = Settings(log=f"kafka://{cluster.bootstrap}", kafka=KafkaSettings(partitions=1))
    rng = random.Random(1)
    with open_log(direct) as log:
        log.create_topics(TOPICS, 1)
        records = []
        for n in range(MAILS):
            words = " ".join(f"{rng.getrandbits(40):x}" for _ in range(120))
            label = LabelRecord(f"m{n}", "spam" if n % 2 else "ham", "ann", 1e9)
            records.append(ProducerRecord(EMAILS, b"m%d" % n, f"Subject: {n}\n\n{words}".encode(), timestamp=1e9 + n))
            records.append(ProducerRecord(LABELS, b"m%d" % n, encode(label), timestamp=1e9 + n))
        log.append(records)
        over_link = Settings(log=f"kafka://127.0.0.1:{link.port}", kafka=KafkaSettings(partitions=1))
        with open_log(over_link) as slow_log:
            worker = Worker(slow_log, over_link, "w-0")
            deadline = time.monotonic() + LONGEST_S
            while worker.totals.labels < MAILS or worker.busy or not worker.replica.manifest.number:
                worker.step()  # raises Restart if a transaction takes too long
                assert time.monotonic() < deadline, (worker.totals, worker.replica.manifest)
            worker.consumer.close()
        replica = Replica.load(log, direct)
        assert link.sent > 20 * BYTES_A_SECOND
        assert replica.manifest.size > 12 * BYTES_A_SECOND and replica.model.labels_learned == MAILS
        assert replica.checkpoint(0).labels_next == log.end_offset(TopicPartition(LABELS, 0))
        assert verify(log, direct).differences == []
