"""What only the SQLite log promises: a second member is kept out, a kill at any statement of a commit costs nothing,
and old records go when new ones are written.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from consumers.errors import LogUnavailable, Restart, UnknownFormat, UserError
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite import consumer as sqlite_consumer
from consumers.log.sqlite import store
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS
from consumers.settings import KafkaSettings, Settings, SqliteSettings

MAILS = 4
OLD = 3
DAY = 86_400
WORKER = f"""
import os, signal, sys
from pathlib import Path
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite.log import SqliteLog

statements = int(sys.argv[2])
log = SqliteLog(Path(sys.argv[1]))
consumer = log.join_group("workers", ("{EMAILS}", "{LABELS}"), "here-0")
records = []
while not records:
    records = consumer.poll(limit=2)

def count(statement):
    global statements
    statements -= 1
    if statements == 0:
        os.kill(os.getpid(), signal.SIGKILL)

log._store._files["out"].trace(count)
outputs = [ProducerRecord("{PREDICTIONS}", r.key, r.value, 0) for r in records]
consumer.commit(outputs, {{TopicPartition("{EMAILS}", 0): records[-1].offset + 1}})
os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_kill_at_each_statement_of_a_commit_leaves_all_or_nothing(tmp_path):
    """All: what it adds is there, its position too, and what was too old is gone."""
    place, done = TopicPartition(PREDICTIONS, 0), 0
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"id-%d" % n, b"mail %d" % n, 0) for n in range(MAILS)])
        log.append([ProducerRecord(PREDICTIONS, b"old", b"old", 0, timestamp=1.0)] * OLD)
        statement, killed = 0, 0
        while done < MAILS:
            statement += 1
            ended = subprocess.run([sys.executable, "-c", WORKER, str(tmp_path), str(statement)], check=False)
            committed = ended.returncode == -signal.SIGTERM
            assert committed or ended.returncode == -signal.SIGKILL
            killed += not committed
            statement = 0 if committed else statement
            position = log._store.position("out", "workers", EMAILS) or 0
            there = [b"mail %d" % n for n in range(position)] or [b"old"] * OLD
            assert [r.value for r in log.scan(place)] == there
            assert log.end_offset(place) == OLD + position
            assert position == done + 2 * committed
            done = position
    assert killed >= 5


def test_a_first_record_that_comes_meanwhile_is_not_before_the_start(tmp_path):
    """A worker that began just then found labels that the model had not learned, and ended."""
    place, statements = TopicPartition(EMAILS, 0), []
    with SqliteLog(tmp_path) as log, SqliteLog(tmp_path) as other:
        log.create_topics(TOPICS, 1)

        def count(statement: str) -> None:
            statements.append(statement)
            if len(statements) == 2:
                other.append([ProducerRecord(EMAILS, b"id", b"mail", 0)])

        log._store._files["in"].trace(count)
        assert log.start_offset(place) == 0
        other.append([ProducerRecord(EMAILS, b"id", b"mail", 0)])
        assert log.start_offset(place) == 0


def test_a_second_member_is_told_that_the_group_has_one(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_consumer, "FENCE_WAIT_S", 0.0)
    with SqliteLog(tmp_path) as log, SqliteLog(tmp_path) as other:
        log.create_topics(TOPICS, 1)
        consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
        with pytest.raises(UserError, match="has a member already") as refused:
            other.join_group("workers", (EMAILS, LABELS), "here-0")
        assert refused.type is UserError  # LogUnavailable would be a reason to try again
        consumer.close()
        other.join_group("workers", (EMAILS, LABELS), "here-0").close()


def test_a_lock_that_cannot_be_opened_is_one_clear_error(tmp_path):
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        (tmp_path / "log" / "workers.lock").mkdir()
        with pytest.raises(LogUnavailable, match=r"workers\.lock: Is a directory; name a folder that can be written"):
            log.join_group("workers", (EMAILS, LABELS), "here-0")


def test_files_of_another_version_are_named(tmp_path):
    with SqliteLog(tmp_path) as log:
        log._store._files["out"].execute("PRAGMA user_version = 1")
    with pytest.raises(UnknownFormat, match=r"out\.db: format 1, this program reads"):
        SqliteLog(tmp_path)


def test_a_write_that_the_disk_refuses_is_one_clear_error(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log._store._files["in"].execute("PRAGMA query_only = ON")
        with pytest.raises(LogUnavailable, match=r"in\.db"):
            log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])


def test_a_commit_that_the_disk_refuses_is_undone(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        with pytest.raises(LogUnavailable, match=r"out\.db"):
            log._store.write(
                "out", [ProducerRecord(PREDICTIONS, b"a", b"1", 0), ProducerRecord(PREDICTIONS, b"b", object(), 0)]
            )
        with pytest.raises(ValueError, match=r"emails is in in\.db, not in out\.db"):
            log._store.write("out", [ProducerRecord(PREDICTIONS, b"a", b"1", 0), ProducerRecord(EMAILS, b"a", b"1", 0)])
        assert log.end_offset(TopicPartition(PREDICTIONS, 0)) == 0


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


@pytest.mark.parametrize("topic", [EMAILS, LABELS, PREDICTIONS])
def test_a_write_lets_records_go_that_are_too_old(aging, topic):
    log, append = aging
    place = TopicPartition(topic, 0)
    append(topic, 12, 11, 9, 8)
    assert [r.value for r in log.scan(place)] == [b"12", b"11", b"9", b"8"]
    append(topic, 0)
    assert [(r.offset, r.value) for r in log.scan(place)] == [(2, b"9"), (3, b"8"), (4, b"0")]
    assert (log.start_offset(place), log.end_offset(place)) == (2, 5)
    assert log.read_at(place, 1) is None
    assert log.read_at(place, 2).value == b"9"


def test_offsets_are_not_used_again_when_all_that_was_there_has_gone(aging):
    log, append = aging
    place = TopicPartition(EMAILS, 0)
    append(EMAILS, 12, 11)
    append(EMAILS, 20)
    append(EMAILS, 0)
    assert [(r.offset, r.value) for r in log.scan(place)] == [(3, b"0")]


def test_records_go_in_the_order_of_offsets_and_topics_by_themselves(aging):
    """An old record behind a young one stays until that goes, so that what is kept has no holes."""
    log, append = aging
    append(LABELS, 30)
    append(EMAILS, 12, 1, 12)
    append(EMAILS, 0)
    assert [r.value for r in log.scan(TopicPartition(EMAILS, 0))] == [b"1", b"12", b"0"]
    assert [r.value for r in log.scan(TopicPartition(LABELS, 0))] == [b"30"]


def test_a_compacted_topic_keeps_the_newest_of_each_key_however_old(aging):
    log, append = aging
    append(MODEL, 50, 40, 50)
    append(MODEL, 0)
    assert [r.value for r in log.scan(TopicPartition(MODEL, 0))] == [b"40", b"50", b"0"]


def test_a_backlog_of_old_records_goes_in_parts(aging, monkeypatch):
    monkeypatch.setattr(store, "MORE_DELETED", 5)
    log, append = aging
    place = TopicPartition(EMAILS, 0)
    append(EMAILS, *[20] * 100)
    for number in range(1, 17):
        append(EMAILS, 0)
        assert log.start_offset(place) == 6 * number
    append(EMAILS, 0)
    assert [r.value for r in log.scan(place)] == [b"0"] * 17


def test_a_member_that_was_away_goes_on_with_the_oldest_record_kept(aging):
    log, append = aging
    append(EMAILS, 12, 11, 11)
    consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
    consumer.poll()
    assert len(consumer.poll(limit=1)) == 1
    consumer.commit([], {TopicPartition(EMAILS, 0): 1})
    consumer.close()
    append(EMAILS, 0)
    consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
    consumer.poll()
    assert [r.value for r in consumer.poll()] == [b"0"]
    assert consumer.lag(TopicPartition(EMAILS, 0)) == 0
    consumer.close()


def test_both_logs_keep_records_equally_long_by_default():
    assert SqliteSettings().retention_days == KafkaSettings().retention_days == 90.0


def test_who_has_read_further_than_an_older_copy_goes_is_told(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"mail")] * 2)
        place = TopicPartition(EMAILS, 0)
        assert log.read({place: 2}) == []
        with pytest.raises(Restart, match=r"emails\[0\] is at 2, and was read up to 3: the topic was deleted"):
            log.read({place: 3})
