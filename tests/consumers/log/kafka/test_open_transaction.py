"""Records after an open transaction cannot be read yet, but the log knows that they exist."""

from __future__ import annotations

import uuid

from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.kafka.clients import make_transactional_producer
from consumers.log.kafka.connection import connection
from consumers.records.schemas import MODEL, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.log_bench import until

PLACE = TopicPartition(MODEL, 0)


def test_an_open_transaction_is_reported_until_it_ends(kafka):
    prefix = f"t{uuid.uuid4().hex[:8]}-"
    settings = Settings(log=f"kafka://{kafka.bootstrap}", kafka=KafkaSettings(prefix=prefix))
    producer = make_transactional_producer(connection(kafka.bootstrap, settings.kafka), f"{prefix}hanging")
    producer.init_transactions()
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        assert not log.has_open_transaction(PLACE)
        producer.begin_transaction()
        producer.send(f"{prefix}{MODEL}", key=b"a", value=b"b", partition=0)
        producer.flush()
        log.append([ProducerRecord(MODEL, b"c", b"d", 0)])
        assert log.end_offset(PLACE) == 0
        assert log.has_open_transaction(PLACE)
        producer.abort_transaction()
        until(lambda: not log.has_open_transaction(PLACE))
        assert [record.key for record in log.scan(PLACE)] == [b"c"]
    producer.close()
