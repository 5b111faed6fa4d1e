"""A member of a group on Kafka whose topics get more partitions."""

from __future__ import annotations

import uuid

import pytest

from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.records.schemas import EMAILS, LABELS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.log_bench import take, until

GROUP = "workers"


@pytest.fixture
def settings(kafka):
    return Settings(
        log=f"kafka://{kafka.bootstrap}", kafka=KafkaSettings(prefix=f"t{uuid.uuid4().hex[:8]}-", partitions=1)
    )


@pytest.fixture
def admin(kafka):
    from kafka import KafkaAdminClient

    admin = KafkaAdminClient(bootstrap_servers=kafka.bootstrap)
    yield admin
    admin.close()


def joined(log):
    consumer = log.join_group(GROUP, (EMAILS, LABELS), "here-0")
    until(lambda: consumer.poll(timeout_s=0.5) == [] and consumer.assignment)
    return consumer


def test_partitions_that_are_added_are_assigned(settings, admin):
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        consumer = joined(log)
        generation = consumer.generation
        admin.create_partitions({settings.kafka.prefix + topic: 2 for topic in (EMAILS, LABELS)})
        until(lambda: consumer.poll(timeout_s=0.5) == [] and len(consumer.assignment) == 4)
        assert consumer.generation > generation
        with open_log(settings) as other:
            other.append([ProducerRecord(EMAILS, b"new", b"mail", 1)])
        assert [record.partition for record in take(consumer, 1)] == [1]
        consumer.close()
