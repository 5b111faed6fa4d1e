"""The records of a batch damaged on the broker's disk are quarantined with their places; all others are processed."""

from __future__ import annotations

import time

import pytest

from consumers.evaluation.verify import verify
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.settings import KafkaSettings, Settings
from consumers.worker.worker import Worker
from tests.support.kafka_broker import Cluster
from tests.support.outputs import predictions, quarantined
from tests.support.waiting import until

AT = TopicPartition(EMAILS, 0)


@pytest.mark.slow
def test_only_the_records_of_the_damaged_batch_are_lost(kafka_or_skip, tmp_path):
    cluster = Cluster(tmp_path)
    try:
        settings = Settings(log=f"kafka://{cluster.start().bootstrap}", kafka=KafkaSettings(partitions=1))
        with open_log(settings) as log:
            log.create_topics(TOPICS, 1)
            for first, count in ((0, 3), (3, 5), (8, 2)):
                numbers = range(first, first + count)
                log.append([ProducerRecord(EMAILS, b"id-%d" % n, b"Subject: mail %d\n\nhello" % n, 0) for n in numbers])
            label = LabelRecord("id-4", "spam", "me", time.time())
            log.append([ProducerRecord(LABELS, b"id-4", encode(label), 0)])
        cluster.damage(EMAILS, batch=1)
        with open_log(settings) as log:
            values = {record.offset: record.value is not None for record in log.scan(AT)}
            assert values == {n: not 3 <= n < 8 for n in range(10)}
            assert log.read_at(AT, 8).key == b"id-8"
            assert log.read_at(AT, 5).value is None
            worker = Worker(log, settings, "here-0")
            done = []
            until(lambda: done.append(worker.step()) or sum(done) == 11)
            worker.consumer.close()
            until(lambda: log.end_offset(TopicPartition(PREDICTIONS, 0)) >= 5)
            assert [prediction.next_offset - 1 for prediction in predictions(log)] == [0, 1, 2, 8, 9]
            assert [entry.offset for entry in quarantined(log)] == [3, 4, 5, 6, 7]
            assert verify(log, settings).differences == []
    finally:
        cluster.stop()
