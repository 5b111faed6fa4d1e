"""What the client fetched of a paused partition is returned once it is resumed, and so is an error."""

from __future__ import annotations

import pytest

from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.kafka.clients import make_partition
from consumers.log.kafka.pausing import return_kept
from consumers.records.schemas import EMAILS, LABELS
from tests.support.log_bench import mails, make_bench, take
from tests.support.waiting import until


def returned_once_resumed(consumer, partitions):
    """Whether what was kept is returned: at once after the other was paused instead, and after that was polled."""
    consumer.assign(partitions)
    polled = []
    for _ in range(2):
        polled += until(lambda: consumer.poll(timeout_ms=100, max_records=2))
        consumer.pause(polled[-1])
    first, second = polled
    consumer.resume(first)
    at_once = first in consumer.poll(timeout_ms=0)
    until(lambda: consumer.poll(timeout_ms=100) is not None and consumer.position(first) == 5)
    consumer.resume(second)
    return at_once, any(second in consumer.poll(timeout_ms=100) for _ in range(3))


@pytest.fixture
def partitions(kafka):
    """Two partitions with five records each."""
    from kafka import KafkaProducer

    topic = kafka.new_topic(partitions=2)
    producer = KafkaProducer(bootstrap_servers=kafka.bootstrap)
    for number in range(10):
        producer.send(topic, b"value", partition=number % 2)
    producer.close()
    return [make_partition(topic, number) for number in range(2)]


@pytest.mark.parametrize(
    ("prepare", "expected"), [(lambda consumer: consumer, (False, False)), (return_kept, (True, True))]
)
def test_kafka_python_forgets_what_it_kept_of_a_resumed_partition_and_we_remind_it(
    kafka, partitions, prepare, expected
):
    from kafka import KafkaConsumer

    consumer = prepare(KafkaConsumer(bootstrap_servers=kafka.bootstrap, auto_offset_reset="earliest"))
    assert returned_once_resumed(consumer, partitions) == expected
    consumer.close()


@pytest.mark.slow
def test_damage_in_a_partition_that_is_paused_meanwhile_is_passed(kafka, request, tmp_path):
    """Without its error, kafka-python would loop in the damaged batch forever."""
    bench, place = make_bench("kafka", request, tmp_path), TopicPartition(EMAILS, 0)
    log = bench.ready()
    for numbers in ((0, 1, 2), (3, 4), (5, 6)):
        log.append(mails(*numbers))
    log.append([ProducerRecord(LABELS, b"k", b"label", 0)])
    kafka.damage(log._settings.prefix + EMAILS, batch=1)
    consumer = bench.join_group(bench.open())

    records = take(consumer, 3)
    for _ in range(5):
        records += consumer.poll(timeout_s=0.1, paused=[place])
    records += take(consumer, 8 - len(records))

    found = {record.offset: record.value is not None for record in records if record.place == place}
    assert found == {0: True, 1: True, 2: True, 3: False, 4: False, 5: True, 6: True}
    bench.close()
