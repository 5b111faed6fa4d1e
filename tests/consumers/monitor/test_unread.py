"""The unread records of a partition; offsets of aborted transactions do not count."""

from __future__ import annotations

import uuid

import pytest

from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.kafka.clients import make_transactional_producer
from consumers.log.kafka.connection import connection
from consumers.log.memory import MemoryLog
from consumers.monitor.unread import Unread
from consumers.records.schemas import EMAILS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.memory_log import new_log
from tests.support.waiting import until

PLACE = TopicPartition(EMAILS, 0)
MAIL = ProducerRecord(EMAILS, b"a", b"mail", 0)


class Scans(MemoryLog):
    """A log that counts its scans."""

    scans = 0

    def scan(self, place, next_offset=0):
        self.scans += 1
        return super().scan(place, next_offset)


@pytest.fixture
def aborted(kafka):
    """A log, and a function that appends mails in a transaction and aborts it."""
    prefix = f"t{uuid.uuid4().hex[:8]}-"
    settings = Settings(log=f"kafka://{kafka.bootstrap}", kafka=KafkaSettings(prefix=prefix))
    producer = make_transactional_producer(connection(kafka.bootstrap, settings.kafka), f"{prefix}foreign")
    producer.init_transactions()
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)

        def abort(mails):
            end = log.end_offset(PLACE)
            producer.begin_transaction()
            for _ in range(mails):
                producer.send(f"{prefix}{EMAILS}", key=b"a", value=b"mail", partition=0)
            producer.flush()
            producer.abort_transaction()
            until(lambda: log.end_offset(PLACE) == end + mails + 1)

        yield log, abort
    producer.close()


def test_aborted_records_do_not_count_as_unread(aborted):
    log, abort = aborted
    unread = Unread(log)
    log.append([MAIL])
    abort(5)
    unread.count(PLACE, 1)
    assert unread.count(PLACE, 1) == 0
    abort(3)
    unread.count(PLACE, 1)
    assert unread.count(PLACE, 1) == 0
    log.append([MAIL, MAIL])
    unread.count(PLACE, 1)
    assert unread.count(PLACE, 1) == 2
    assert unread.count(PLACE, log.end_offset(PLACE) - 1) == 1


def test_the_first_unread_record_is_looked_up_once_while_nothing_changes():
    log = Scans()
    log.create_topics(TOPICS, 1)
    unread = Unread(log)
    log.append([MAIL] * 5)
    assert [unread.count(PLACE, 2) for _ in range(5)] == [3] * 5
    assert log.scans == 1
    log.append([MAIL])
    assert [unread.count(PLACE, 2), unread.count(PLACE, 3), unread.count(PLACE, 6)] == [4, 3, 0]
    assert log.scans == 1


def test_deleted_records_do_not_count_and_are_asked_for_only_if_some_are_unread(monkeypatch):
    """On Kafka each question is a request, and the monitor has some for each partition, every second."""
    log = new_log()
    unread = Unread(log)
    log.append([MAIL] * 5)
    asked: list[TopicPartition] = []
    monkeypatch.setattr(log, "start_offset", lambda place: asked.append(place) or 3)
    assert (unread.count(PLACE, 5), asked) == (0, [])
    assert (unread.count(PLACE, 1), asked) == (2, [PLACE])
    monkeypatch.setattr(log, "start_offset", lambda place: 5)
    assert unread.count(PLACE, 1) == 0
