"""Records after an open transaction cannot be read yet; a process that needs them waits for its end."""

from __future__ import annotations

import pytest

from consumers.errors import Restart
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.kafka.clients import make_partition, make_position, make_transactional_producer
from consumers.log.kafka.connection import connection
from consumers.log.outputs import wait_for_outputs
from consumers.records.schemas import EMAILS, LABELS, MODEL, TOPICS
from tests.support.log_bench import take

PLACE = TopicPartition(MODEL, 0)


def test_an_open_transaction_is_waited_for(settings, kafka, monkeypatch):
    prefix = settings.kafka.prefix
    producer = make_transactional_producer(connection(kafka.bootstrap, settings.kafka), f"{prefix}hanging")
    producer.init_transactions()
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        wait_for_outputs(log, [PLACE])
        producer.begin_transaction()
        producer.send(f"{prefix}{MODEL}", key=b"a", value=b"b", partition=0)
        producer.flush()
        log.append([ProducerRecord(MODEL, b"c", b"d", 0)])
        assert log.end_offset(PLACE) == 0
        assert log.written_ends([PLACE]) == {PLACE: 2}
        with (
            monkeypatch.context() as patched,
            pytest.raises(Restart, match=r"^model\[0\] has an open transaction"),
        ):
            patched.setattr("consumers.log.outputs.WAIT_S", 0.0)
            wait_for_outputs(log, [PLACE])
        producer.abort_transaction()
        wait_for_outputs(log, [PLACE])
        assert [record.key for record in log.scan(PLACE)] == [b"c"]
    producer.close()


def test_a_position_hidden_by_an_open_transaction_is_named(settings, kafka, monkeypatch):
    prefix = settings.kafka.prefix
    producer = make_transactional_producer(connection(kafka.bootstrap, settings.kafka), f"{prefix}hanging")
    producer.init_transactions()
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"a mail", 0)])
        member = log.join_group("workers", (EMAILS, LABELS), "here-0")
        take(member, 1)
        producer.begin_transaction()
        offsets = {make_partition(f"{prefix}{EMAILS}", 0): make_position(1)}
        producer.send_offsets_to_transaction(offsets, member._consumer.group_metadata())
        member.close()
        successor = log.join_group("workers", (EMAILS, LABELS), "here-0")
        monkeypatch.setattr("consumers.log.kafka.consumer.POSITION_MS", 1_000)
        with pytest.raises(Restart, match=r"^committed offset of emails\[0\].* open transaction .*docs/guarantees\.md"):
            take(successor, 1)
        successor.close()
        producer.abort_transaction()
    producer.close()
