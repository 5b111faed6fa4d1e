"""Batches that compaction has emptied, on a real broker: kafka-python alone fails, our reader continues."""

from __future__ import annotations

import uuid

from consumers.log.base import ProducerRecord
from consumers.log.kafka.clients import make_transactional_producer
from consumers.log.kafka.connection import connection
from consumers.records.schemas import MODEL
from tests.support.log_bench import everything, make_bench
from tests.support.waiting import until

COMPACTED_AT_ONCE = {
    "cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0.0001", "delete.retention.ms": "0",
    "max.message.bytes": "4194304",
}  # fmt: skip
"""Makes the broker compact at once, as it does after a day of use."""


def test_a_transaction_whose_marker_was_compacted_away_is_skipped(request, tmp_path, kafka):
    """A killed producer left a transaction; its successor ended it and has written nothing since."""
    from kafka import KafkaAdminClient, KafkaConsumer
    from kafka import TopicPartition as Partition
    from kafka.admin import ConfigResource, ConfigResourceType

    bench = make_bench("kafka", request, tmp_path)
    log = bench.ready()
    topic, name = log._settings.prefix + MODEL, uuid.uuid4().hex
    admin = KafkaAdminClient(bootstrap_servers=kafka.bootstrap)
    admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, configs=COMPACTED_AT_ONCE)])
    admin.close()
    killed, successor = (
        make_transactional_producer(connection(kafka.bootstrap, log._settings), name) for _ in range(2)
    )
    killed.init_transactions()
    killed.begin_transaction()
    killed.send(topic, key=b"d/0/1", value=b"lost", partition=0).get(timeout=30)
    successor.init_transactions()
    number = 0

    def fails() -> bool:
        """Whether kafka-python alone fails; each call appends a record, so that there are segments to compact."""
        nonlocal number
        log.append([ProducerRecord(MODEL, b"key", b"%d" % (number := number + 1), 0)])
        alone = KafkaConsumer(
            bootstrap_servers=kafka.bootstrap, isolation_level="read_committed", auto_offset_reset="earliest"
        )
        alone.assign([Partition(topic, 0)])
        try:
            while alone.position(Partition(topic, 0)) < alone.end_offsets([Partition(topic, 0)])[Partition(topic, 0)]:
                alone.poll(timeout_ms=500)
        except RuntimeError:
            return True
        finally:
            alone.close()
        return False

    try:
        until(fails)
        records = everything(log, MODEL)
        assert (records[-1].key, records[-1].value) == (b"key", b"%d" % number)
        assert len({record.offset for record in records}) == len(records)
    finally:
        killed.close(timeout=0)
        successor.close(timeout=0)
        bench.close()
