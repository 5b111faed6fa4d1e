"""Writes delete old records; mails and labels only after a worker has read them, whatever the clock says."""

from __future__ import annotations

import time

import pytest

from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite import retention
from consumers.log.sqlite.file import SqliteFile
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS
from consumers.settings import KafkaSettings, Settings, SqliteSettings

DAY = 86_400


@pytest.fixture
def aging(tmp_path):
    """A log that keeps records for ten days, and a function that appends records of given ages in days to a topic."""
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}", sqlite=SqliteSettings(retention_days=10.0))
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
    """Commit that a worker has read a topic up to an offset, by default to its end."""
    place = TopicPartition(topic, 0)
    consumer = log.join_group(group, (EMAILS, LABELS), "here-0")
    consumer.commit([], {place: log.end_offset(place) if next_offset is None else next_offset})
    consumer.close()


def values(log, topic):
    return [record.value for record in log.scan(TopicPartition(topic, 0))]


@pytest.mark.parametrize("topic", [EMAILS, LABELS, PREDICTIONS])
def test_a_write_deletes_old_records(aging, topic):
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


def test_offsets_are_not_reused_after_all_records_were_deleted(aging):
    log, append = aging
    append(PREDICTIONS, 12, 11)
    append(PREDICTIONS, 20)
    append(PREDICTIONS, 0)
    assert [(r.offset, r.value) for r in log.scan(TopicPartition(PREDICTIONS, 0))] == [(3, b"0")]


def test_records_are_deleted_in_order_of_offsets_and_only_by_writes_to_their_topic(aging):
    """An old record after a younger one is kept as long as that, so that the kept offsets have no gaps."""
    log, append = aging
    append(LABELS, 30)
    append(EMAILS, 12, 1, 12)
    read(log, LABELS)
    read(log, EMAILS)
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"1", b"12", b"0"]
    assert values(log, LABELS) == [b"30"]


def test_a_compacted_topic_keeps_the_newest_record_of_each_key_whatever_its_age(aging):
    log, append = aging
    append(MODEL, 50, 40, 50)
    append(MODEL, 0)
    assert values(log, MODEL) == [b"40", b"50", b"0"]


def test_a_backlog_of_old_records_is_deleted_in_parts(aging, monkeypatch):
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
def test_unread_records_are_kept_whatever_their_age(aging, topic):
    """They may only seem old, because the clock was wrong then or is wrong now."""
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


def test_records_read_by_any_group_are_deleted(aging):
    log, append = aging
    append(EMAILS, 14, 13, 12)
    read(log, EMAILS, 1, group="its-old-name")
    read(log, EMAILS, 3)
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"0"]


def test_a_log_that_is_never_read_keeps_a_limited_number_of_old_records(aging, monkeypatch):
    monkeypatch.setattr(retention, "UNREAD_KEPT", 3)
    log, append = aging
    append(EMAILS, 16, 15, 14, 13, 12)
    append(EMAILS, 11)
    assert values(log, EMAILS) == [b"14", b"13", b"12", b"11"]
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"13", b"12", b"11", b"0"]


def test_the_default_retention_is_the_same_on_sqlite_and_kafka():
    assert SqliteSettings().retention_days == KafkaSettings().retention_days == 90.0


def test_a_backup_has_the_mails_that_are_read_and_deleted_while_it_is_made(aging, tmp_path, monkeypatch):
    log, append = aging
    append(EMAILS, 12, 11)  # older than the log keeps mails, but no worker has read them
    copy_file = SqliteFile.copy

    def copy(file, path):
        copy_file(file, path)
        if path.name == "out.db":
            with SqliteLog(tmp_path / "log", SqliteSettings(retention_days=10.0)) as stages:
                read(stages, EMAILS)
                stages.append([ProducerRecord(EMAILS, b"new", b"new", 0)])
                assert values(stages, EMAILS) == [b"new"]

    monkeypatch.setattr(SqliteFile, "copy", copy)
    log.copy(tmp_path / "copy")
    with SqliteLog(tmp_path / "copy") as backup:
        assert values(backup, EMAILS) == [b"12", b"11"]
        consumer = backup.join_group("workers", (EMAILS, LABELS), "here-0")
        assert consumer.committed(TopicPartition(EMAILS, 0)) == 0
        consumer.close()
    append(EMAILS, 0)
    assert values(log, EMAILS) == [b"new", b"0"]
