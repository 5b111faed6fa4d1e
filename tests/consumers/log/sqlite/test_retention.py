"""Old records go when new ones are written; mails and labels only once a worker has read them, whatever the clock."""

from __future__ import annotations

import time

import pytest

from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite import retention
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS
from consumers.settings import KafkaSettings, Settings, SqliteSettings

DAY = 86_400


@pytest.fixture
def aging(tmp_path):
    """A log that keeps records for ten days, and a function that appends records of a topic of given ages in days."""
    settings = Settings(log=f"sqlite:{tmp_path}", sqlite=SqliteSettings(retention_days=10.0))
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)

        def append(topic, *ages):
            log.append(
                [
                    ProducerRecord(topic, b"key %d" % age, b"%d" % age, 0, timestamp=time.time() - age * DAY)
                    for age in ages
                ]
            )

        yield log, append


def read(log, topic, next_offset=None, group="workers"):
    """A worker of a group reads a topic, up to an offset or to its end."""
    place = TopicPartition(topic, 0)
    consumer = log.join_group(group, (EMAILS, LABELS), "here-0")
    consumer.commit([], {place: log.end_offset(place) if next_offset is None else next_offset})
    consumer.close()


def values(log, topic):
    return [record.value for record in log.scan(TopicPartition(topic, 0))]


@pytest.mark.parametrize("topic", [EMAILS, LABELS, PREDICTIONS])
def test_a_write_lets_records_go_that_are_too_old(aging, topic):
    log, append = aging
    place = TopicPartition(topic, 0)
    append(topic, 12, 11, 9, 8)
    read(log, topic)
    assert values(log, topic) == [b"12", b"11", b"9", b"8"]
    append(topic, 0)
    assert [(r.offset, r.value) for r in log.scan(place)] == [(2, b"9"), (3, b"8"), (4, b"0")]
    assert (log.start_offset(place), log.end_offset(place)) == (2, 5)
    assert log.read_at(place, 1) is None
    assert log.read_at(place, 2).value == b"9"


def test_offsets_are_not_used_again_when_all_that_was_there_has_gone(aging):
    log, append = aging
    append(PREDICTIONS, 12, 11)
    append(PREDICTIONS, 20)
    append(PREDICTIONS, 0)
    assert [(r.offset, r.value) for r in log.scan(TopicPartition(PREDICTIONS, 0))] == [(3, b"0")]


def test_records_go_in_the_order_of_offsets_and_topics_by_themselves(aging):
    """An old record behind a young one stays until that goes, so that what is kept has no holes."""
    log, append = aging
    append(LABELS, 30)
    append(EMAILS, 12, 1, 12)
    read(log, LABELS)
    read(log, EMAILS)
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"1", b"12", b"0"]
    assert values(log, LABELS) == [b"30"]


def test_a_compacted_topic_keeps_the_newest_of_each_key_however_old(aging):
    log, append = aging
    append(MODEL, 50, 40, 50)
    append(MODEL, 0)
    assert values(log, MODEL) == [b"40", b"50", b"0"]


def test_a_backlog_of_old_records_goes_in_parts(aging, monkeypatch):
    monkeypatch.setattr(retention, "MORE_DELETED", 5)
    log, append = aging
    append(EMAILS, *[20] * 100)
    read(log, EMAILS)
    for number in range(1, 17):
        append(EMAILS, 0)
        assert log.start_offset(TopicPartition(EMAILS, 0)) == 6 * number
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"0"] * 17


@pytest.mark.parametrize("topic", [EMAILS, LABELS])
def test_what_no_worker_has_read_stays_however_old_it_looks(aging, topic):
    """The clock was in 1970 when it was written, or is ahead now."""
    log, append = aging
    append(topic, 20_000, 12, 11)
    append(topic, 0)
    assert values(log, topic) == [b"20000", b"12", b"11", b"0"], "no worker has been started yet"
    read(log, topic, 2)
    append(topic, 0)
    assert values(log, topic) == [b"11", b"0", b"0"]
    append(topic, 0)
    assert values(log, topic) == [b"11", b"0", b"0", b"0"]

    consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
    consumer.poll()
    assert [record.value for record in consumer.poll()] == [b"11", b"0", b"0", b"0"]
    consumer.close()


def test_of_several_groups_the_one_counts_that_has_read_furthest(aging):
    log, append = aging
    append(EMAILS, 14, 13, 12)
    read(log, EMAILS, 1, group="its-old-name")
    read(log, EMAILS, 3)
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"0"]


def test_a_log_that_is_never_read_keeps_only_so_many_old_records(aging, monkeypatch):
    monkeypatch.setattr(retention, "UNREAD_KEPT", 3)
    log, append = aging
    append(EMAILS, 16, 15, 14, 13, 12)
    append(EMAILS, 11)
    assert values(log, EMAILS) == [b"14", b"13", b"12", b"11"]
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"13", b"12", b"11", b"0"]


def test_both_logs_keep_records_equally_long_by_default():
    assert SqliteSettings().retention_days == KafkaSettings().retention_days == 90.0
