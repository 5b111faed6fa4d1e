"""Assignments on Kafka: partitions of new topics, added partitions, and the starting offsets."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from consumers.errors import LogUnavailable, Restart, UserError
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.kafka import consumer as consumer_module
from consumers.log.kafka import fencing
from consumers.log.kafka.clients import KafkaError, make_transactional_producer
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS
from tests.support.log_bench import take
from tests.support.waiting import until

GROUP = "workers"


def joined(log):
    consumer = log.join_group(GROUP, (EMAILS, LABELS), "here-0")
    until(lambda: consumer.poll(timeout_s=0.5) == [] and consumer.assignment)
    return consumer


def test_a_large_commit_of_a_fenced_member_says_why_it_failed(settings):
    """The producer fails in a later `send`, with an error that has the reason among its arguments."""
    with open_log(settings) as log, open_log(settings) as other:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"a mail", 0)])
        zombie = log.join_group(GROUP, (EMAILS, LABELS), "here-0")
        take(zombie, 1)
        successor = other.join_group(GROUP, (EMAILS, LABELS), "here-0")
        outputs = [ProducerRecord(PREDICTIONS, b"%d" % number, os.urandom(200_000), 0) for number in range(200)]
        with pytest.raises(Restart, match=r"another process has joined as here-0\. .*has one address"):
            zombie.commit(outputs, {TopicPartition(EMAILS, 0): 1})
        successor.close()


def test_the_producer_is_closed_if_the_member_cannot_be_made(settings, monkeypatch):
    made = []

    def make(*arguments):
        made.append(make_transactional_producer(*arguments))
        return made[-1]

    def fail(*arguments):
        raise KafkaError("no broker")

    monkeypatch.setattr(fencing, "make_transactional_producer", make)
    monkeypatch.setattr(consumer_module, "make_member", fail)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        with pytest.raises(LogUnavailable):
            log.join_group(GROUP, (EMAILS, LABELS), "here-0")
    (producer,) = made
    assert producer._closed


def test_brokers_that_do_not_refuse_a_replaced_member_are_not_used(settings):
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        log._scanner.consumer.config["api_version"] = (2, 4)
        with pytest.raises(UserError, match=r"kafka://127\.0\.0\.1:\d+: .* Kafka 2\.4 .*use Kafka 2\.8 or newer"):
            log.join_group(GROUP, (EMAILS, LABELS), "here-0")


@pytest.mark.parametrize("attempt", range(6))
def test_the_first_assignment_has_the_partitions_of_topics_just_created(settings, caplog, attempt):
    with open_log(settings) as log:
        log.create_topics(TOPICS, 2)
        consumer = log.join_group(GROUP, (EMAILS, LABELS), "here-0")
        until(lambda: consumer.poll(timeout_s=0.5) == [] and consumer.generation)
        assert len(consumer.assignment) == 4
        assert "No partition metadata" not in caplog.text
        consumer.close()


def test_added_partitions_are_assigned(settings, admin):
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
        until(lambda: log.partitions(EMAILS) == 2)  # its own client refreshes its metadata within `METADATA_MS`
        assert log.read_at(TopicPartition(EMAILS, 1), 0) is not None
        consumer.close()


def test_a_restarted_member_restarts_again_to_get_added_partitions(settings, admin):
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        joined(log).close()
        consumer = joined(log)  # it leads the group, but the broker does not tell it so
        admin.create_partitions({settings.kafka.prefix + topic: 2 for topic in (EMAILS, LABELS)})
        with pytest.raises(Restart, match=r"\[2, 2\] partitions, but \[1, 1\]"):
            until(lambda: consumer.poll(timeout_s=0.5))
        consumer.close()
    with open_log(settings) as log:
        consumer = joined(log)
        until(lambda: consumer.poll(timeout_s=0.5) == [] and len(consumer.assignment) == 4)
        consumer.close()


def test_with_single_active_one_member_has_all_partitions_and_another_takes_over(settings):
    with open_log(settings) as log, open_log(settings) as others:
        log.create_topics(TOPICS, 2)
        members = [
            where.join_group(GROUP, (EMAILS, LABELS), name, single_active=True)
            for where, name in ((log, "here-0"), (others, "here-1"))
        ]
        held = list[int]()

        def joined_both() -> bool:
            held[:] = [len(member.assignment) for member in members]
            return all(member.generation for member in members) and sum(held) == 4

        with ThreadPoolExecutor(2) as pool:  # during a rebalance a poll waits for the other member
            until(lambda: list(pool.map(lambda member: member.poll(timeout_s=0.1), members)) and joined_both())
        assert held == [4, 0]
        members[0].close()
        until(lambda: members[1].poll(timeout_s=0.1) == [] and len(members[1].assignment) == 4)
        members[1].close()


def test_a_new_assignment_starts_at_the_committed_offsets_even_of_kept_partitions(settings):
    places = [TopicPartition(EMAILS, p) for p in range(2)]
    with open_log(settings) as log, open_log(settings) as others:
        log.create_topics(TOPICS, 2)
        log.append([ProducerRecord(EMAILS, b"%d" % n, b"mail", p) for p in range(2) for n in range(3)])
        consumer = joined(log)
        take(consumer, 6)
        consumer.commit([], {place: 1 for place in places})
        other = others.join_group(GROUP, (EMAILS, LABELS), "here-1")
        with ThreadPoolExecutor(1) as pool:  # during a rebalance a poll waits for the other member
            joining = pool.submit(until, lambda: other.poll(timeout_s=0.1) == [] and other.assignment)
            until(lambda: consumer.poll(timeout_s=0.1) == [] and len(consumer.assignment) == 2)
            joining.result()
        records = take(consumer, 2)
        assert [record.place for record in records] == [place for place in places if place in consumer.assignment] * 2
        assert [record.offset for record in records] == [1, 2]
        consumer.close()
        other.close()


def test_committed_offsets_are_asked_for_once_in_an_assignment(settings, monkeypatch):
    """Each question is a round trip, and a stage asks several times for each of perhaps hundreds of partitions."""
    place = TopicPartition(EMAILS, 0)
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
        consumer, asked = joined(log), []
        plain = consumer._consumer.committed

        def ask(partition, timeout_ms):
            asked.append((consumer.generation, partition))
            return plain(partition, timeout_ms=timeout_ms)

        monkeypatch.setattr(consumer._consumer, "committed", ask)
        assert consumer.committed(place) == 0
        take(consumer, 1)  # a broker under load may assign the partitions again
        consumer.commit([], {place: 1})
        assert consumer.committed(place) == 1
        assert len(asked) == len(set(asked))
        consumer.close()
