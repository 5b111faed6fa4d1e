"""A topic that is deleted and recreated while a group member reads it."""

from __future__ import annotations

import pytest

from consumers.errors import LogDamaged
from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.records.schemas import EMAILS, LABELS, TOPICS
from tests.support.log_bench import take
from tests.support.waiting import until


def test_a_member_does_not_continue_with_the_recreated_topic(settings, admin):
    topic = settings.kafka.prefix + LABELS
    with open_log(settings) as log, open_log(settings) as other:
        log.create_topics(TOPICS, 1)
        other.append([ProducerRecord(LABELS, b"a", b"old", 0)])
        consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
        assert [record.value for record in take(consumer, 1)] == [b"old"]
        admin.delete_topics([topic])
        until(lambda: topic not in admin.list_topics())
        with open_log(settings) as new:
            new.create_topics(TOPICS, 1)
            new.append([ProducerRecord(LABELS, b"b", b"new", 0)])
        with pytest.raises(LogDamaged, match=f"topic {topic} was deleted and created again .*guarantees"):
            until(lambda: consumer.poll(timeout_s=0.5))
        consumer.close()


def test_a_restarted_member_is_assigned_a_topic_that_the_group_was_without(settings, admin):
    """It gets its previous assignment, unless it says that the topic is another one."""
    topic = settings.kafka.prefix + EMAILS
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
        admin.delete_topics([topic])
        until(lambda: not consumer._consumer.partitions_for_topic(topic))
        until(lambda: consumer.poll(timeout_s=0.5) == [] and consumer.generation)
        assert {place.topic for place in consumer.assignment} == {LABELS}
        consumer.close()
    with open_log(settings) as log:
        assert log.create_topics(TOPICS, 1) == [topic]
        consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
        until(lambda: consumer.poll(timeout_s=0.5) == [] and consumer.generation)
        assert {place.topic for place in consumer.assignment} == {EMAILS, LABELS}
        consumer.close()
