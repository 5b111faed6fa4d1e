"""Topics that are deleted and recreated while a follower, or a reader of single records, uses them."""

from __future__ import annotations

import pytest

from consumers.errors import Restart
from consumers.log import open_log
from consumers.log.base import Log, ProducerRecord, TopicPartition
from consumers.model.changelog import MODEL_PARTITION
from consumers.records.schemas import EMAILS, MODEL, TOPICS
from consumers.settings import Settings
from tests.support.waiting import until

MAILS = TopicPartition(EMAILS, 0)


def read_one(log: Log, next_offset: int) -> int:
    """Read one record; returns its offset."""
    return until(lambda: log.read({MODEL_PARTITION: next_offset}, timeout_s=0.5))[0].offset


def recreate(admin, settings: Settings, name: str) -> None:
    """Delete a topic and recreate it with one record."""
    topic = settings.kafka.prefix + name
    admin.delete_topics([topic])
    until(lambda: topic not in admin.list_topics())
    with open_log(settings) as new:
        assert new.create_topics(TOPICS, 1) == [topic]
        new.append([ProducerRecord(name, b"new", b"value", 0)])


def test_a_follower_restarts_if_a_topic_is_recreated(settings, admin):
    with open_log(settings) as log, open_log(settings) as other:
        log.create_topics(TOPICS, 1)
        other.append([ProducerRecord(MODEL, b"%d" % n, b"value", 0) for n in range(5)])
        for offset in range(5):
            assert read_one(log, offset) == offset
        recreate(admin, settings, MODEL)
        with pytest.raises(Restart, match=r"model\[0\] is at 1, but reached 5 before: .*recreated"):
            read_one(log, 5)
        assert read_one(log, 0) == 0


def test_read_at_returns_none_for_deleted_records(settings, admin):
    from kafka import TopicPartition as Partition

    with open_log(settings) as log, open_log(settings) as other:
        log.create_topics(TOPICS, 1)
        other.append([ProducerRecord(EMAILS, b"%d" % n, b"value", 0) for n in range(300)])
        assert log.read_at(MAILS, 250).key == b"250"
        admin.delete_records({Partition(settings.kafka.prefix + EMAILS, 0): 200})
        assert [log.read_at(MAILS, offset) for offset in range(200)] == [None] * 200
        assert log.read_at(MAILS, 200).key == b"200"
        recreate(admin, settings, EMAILS)
        assert [log.read_at(MAILS, offset) for offset in (150, 90, 1)] == [None, None, None]
        assert log.read_at(MAILS, 0).key == b"new"


def test_a_scan_fails_if_records_that_it_waits_for_are_lost(settings, admin, monkeypatch):
    monkeypatch.setattr("consumers.log.kafka.reader.QUIET_S", 0.0)
    with open_log(settings) as log, open_log(settings) as other:
        log.create_topics(TOPICS, 1)
        other.append([ProducerRecord(MODEL, b"%d" % n, b"value", 0) for n in range(5)])
        monkeypatch.setattr(log, "end_offset", lambda _: 7)
        with pytest.raises(Restart, match=r"model\[0\] is at 5, but reached 7 before: .*lost records"):
            list(log.scan(MODEL_PARTITION))
        scan = log.scan(MODEL_PARTITION)
        assert [next(scan).offset for _ in range(5)] == [*range(5)]
        recreate(admin, settings, MODEL)
        with pytest.raises(Restart, match=r"model\[0\] is at \d, but reached \d before: .*recreated"):
            next(scan)
