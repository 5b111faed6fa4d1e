"""A group member on Kafka gets its assignment, even if it arrives between two polls."""

from __future__ import annotations

import time
import uuid

import pytest

from consumers.log.kafka import joining
from consumers.log.kafka.clients import make_admin, make_member
from consumers.log.kafka.connection import connection
from consumers.records.schemas import EMAILS, LABELS
from tests.support.waiting import until


def test_kafka_python_drops_an_assignment_that_arrives_between_two_polls(bench, kafka):
    """The next poll finds the join completed and joins again."""
    log = bench.ready()
    topic = log._settings.prefix + EMAILS
    consumer = make_member(
        connection(kafka.bootstrap, log._settings), uuid.uuid4().hex, "here", {topic: "2."}, wait_bytes=1
    )
    consumer.subscribe([topic])
    for _ in range(6):
        consumer.poll(timeout_ms=0)
        time.sleep(1.0)
    assert consumer.assignment() == set()
    until(lambda: consumer.poll(timeout_ms=5_000) or consumer.assignment())
    consumer.close()


def test_our_member_gets_its_assignment_even_with_short_polls(bench):
    consumer = bench.ready().join_group("workers", (EMAILS, LABELS), "here-0")

    def polled_briefly() -> bool:
        time.sleep(0.5)
        return consumer.poll(timeout_s=0.0) == [] and consumer.generation > 0

    until(polled_briefly)
    assert len(consumer.assignment) == 4
    consumer.close()


@pytest.mark.timeout(120)
def test_a_join_returns_as_soon_as_there_is_an_assignment(bench, monkeypatch):
    """On topics without records, a poll of kafka-python would wait until the timeout of joining."""
    monkeypatch.setattr(joining, "JOIN_S", 3600.0)
    log = bench.ready()
    consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
    assert consumer.poll(timeout_s=0.0) == []
    assert consumer.generation == 1
    assert len(consumer.assignment) == 4
    consumer.close()


def test_members_have_the_client_id_stream_nb(bench, kafka):
    log = bench.ready()
    consumer = log.join_group("named", (EMAILS, LABELS), "here-0")
    until(lambda: consumer.poll(timeout_s=0.1) == [] and consumer.generation > 0)
    admin = make_admin(connection(kafka.bootstrap, log._settings))
    group = log._settings.prefix + "named"
    members = admin.describe_groups([group])[group]["members"]
    assert [member["client_id"] for member in members] == ["stream-nb"]
    admin.close()
    consumer.close()
