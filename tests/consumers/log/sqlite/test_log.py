"""The SQLite log alone: a group has one member, commits survive a kill at any statement, and errors name files."""

from __future__ import annotations

import errno
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from consumers.errors import LogUnavailable, Restart, UnknownFormat, UserError
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite import consumer as sqlite_consumer
from consumers.log.sqlite.file import SqliteFile
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS

MAILS = 4
OLD = 3
WORKER = f"""
import os, signal, sys
from pathlib import Path
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite.file import SqliteFile
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

log._store._files["out"]._file.set_trace_callback(count)
outputs = [ProducerRecord("{PREDICTIONS}", r.key, r.value, 0) for r in records]
consumer.commit(outputs, {{TopicPartition("{EMAILS}", 0): records[-1].offset + 1}})
os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_kill_at_any_statement_of_a_commit_leaves_all_of_it_or_nothing(tmp_path):
    """All of it: its outputs, its offset, and the deletion of old records."""
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


def test_start_offset_is_0_while_the_first_record_is_appended(tmp_path):
    """With a start above it, a worker would find labels missing from the model, and end."""
    place, statements = TopicPartition(EMAILS, 0), []
    with SqliteLog(tmp_path) as log, SqliteLog(tmp_path) as other:
        log.create_topics(TOPICS, 1)

        def count(statement: str) -> None:
            statements.append(statement)
            if len(statements) == 2:
                other.append([ProducerRecord(EMAILS, b"id", b"mail", 0)])

        log._store._files["in"]._file.set_trace_callback(count)
        assert log.start_offset(place) == 0
        other.append([ProducerRecord(EMAILS, b"id", b"mail", 0)])
        assert log.start_offset(place) == 0


def test_a_second_member_of_a_group_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_consumer, "FENCE_WAIT_S", 0.0)
    with SqliteLog(tmp_path) as log, SqliteLog(tmp_path) as other:
        log.create_topics(TOPICS, 1)
        consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
        with pytest.raises(UserError, match="has a member already"):  # a LogUnavailable would be retried
            other.join_group("workers", (EMAILS, LABELS), "here-0")
        consumer.close()
        other.join_group("workers", (EMAILS, LABELS), "here-0").close()


def test_a_group_may_have_any_name_as_on_kafka(tmp_path):
    """A slash in it would name a folder for the lock file, and a worker would start again and again."""
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        for group in ("mail/workers", "../workers"):
            log.join_group(group, (EMAILS, LABELS), "here-0").close()
    assert [file.name for file in tmp_path.iterdir()] == ["log"]


def test_a_file_in_place_of_the_folder_is_a_mistake(tmp_path):
    """A stage would start again and again. A link may lead to a disk that is mounted later."""
    (tmp_path / "mails.mbox").touch()
    for folder in ("mails.mbox", "mails.mbox/log"):
        with pytest.raises(UserError, match=r"mails\.mbox is a file; name a folder"):
            SqliteLog(tmp_path / folder)
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    with pytest.raises(LogUnavailable, match="name a folder that can be written"):
        SqliteLog(tmp_path / "link")


def test_a_lock_file_that_cannot_be_opened_is_named(tmp_path):
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        (tmp_path / "log" / "workers.lock").mkdir()
        with pytest.raises(LogUnavailable, match=r"workers\.lock: Is a directory; name a folder that can be written"):
            log.join_group("workers", (EMAILS, LABELS), "here-0")


@pytest.mark.parametrize("name", ["consumer.open_new", "store.make_folder"])
def test_a_lock_or_folder_of_another_user_is_reported_with_what_to_do(tmp_path, monkeypatch, name):
    """As after root has run a stage once, before the service runs as a user of its own; root itself may open all."""

    def refuse(path: Path) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    SqliteLog(tmp_path).close()
    monkeypatch.setattr(f"consumers.log.sqlite.{name}", refuse)
    with pytest.raises(LogUnavailable, match=r"Permission denied; give the folder to the user .*chown -R"):
        SqliteLog(tmp_path).join_group("workers", (EMAILS, LABELS), "here-0")


def test_files_of_another_format_version_are_named(tmp_path):
    with SqliteLog(tmp_path) as log:
        log._store._files["out"].execute("PRAGMA user_version = 1")
    with pytest.raises(UnknownFormat, match=r"out\.db: format 1, this program reads"):
        SqliteLog(tmp_path)


def test_a_log_that_cannot_be_opened_because_the_disk_is_full_says_what_to_do(tmp_path):
    """SQLite needs room even to read, for its shared memory, and reports only an I/O error."""
    SqliteLog(tmp_path).close()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        with pytest.raises(LogUnavailable, match=r"in\.db: .*; make room, or name a folder that can be written"):
            SqliteLog(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_failed_write_names_the_file(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log._store._files["in"].execute("PRAGMA query_only = ON")
        with pytest.raises(LogUnavailable, match=r"in\.db"):
            log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])


def test_a_failed_write_is_rolled_back(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        with pytest.raises(LogUnavailable, match=r"out\.db"):
            log._store.write(
                "out", [ProducerRecord(PREDICTIONS, b"a", b"1", 0), ProducerRecord(PREDICTIONS, b"b", object(), 0)]
            )
        with pytest.raises(ValueError, match=r"emails is in in\.db, not in out\.db"):
            log._store.write("out", [ProducerRecord(PREDICTIONS, b"a", b"1", 0), ProducerRecord(EMAILS, b"a", b"1", 0)])
        assert log.end_offset(TopicPartition(PREDICTIONS, 0)) == 0


def test_reading_beyond_the_end_restarts_as_after_a_restored_backup(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"mail")] * 2)
        place = TopicPartition(EMAILS, 0)
        assert log.read({place: 2}) == []
        with pytest.raises(Restart, match=r"emails\[0\] is at 2, but reached 3 before: the topic was deleted"):
            log.read({place: 3})


def test_a_process_that_opens_a_new_log_at_the_same_time_is_waited_for(tmp_path, monkeypatch):
    """SQLite itself does not wait in this case, so of stages started together one sometimes ended."""
    refusals = 3

    class Busy(sqlite3.Connection):
        def execute(self, sql, *arguments):
            nonlocal refusals
            if "journal_mode" in sql and refusals:
                refusals -= 1
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise error
            return super().execute(sql, *arguments)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Busy))
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
    assert refusals == 0
    monkeypatch.setattr("consumers.log.sqlite.file.BUSY_S", 0.0)
    refusals = 1000
    with pytest.raises(LogUnavailable, match="another program has locked it"):
        SqliteLog(tmp_path / "log")


def test_signals_are_handled_while_another_program_holds_the_lock(tmp_path, monkeypatch):
    """SQLite's own wait delayed Ctrl-C by up to half a minute."""
    monkeypatch.setattr("consumers.log.sqlite.file.BUSY_S", 1.0)
    with SqliteLog(tmp_path) as log, closing(sqlite3.connect(tmp_path / "in.db", isolation_level=None)) as other:
        log.create_topics(TOPICS, 1)
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr("consumers.log.sqlite.file.pause", lambda seconds: signal.raise_signal(signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            log.append([ProducerRecord(EMAILS, b"id", b"x", 0)])


def test_reading_that_ends_half_way_may_outlast_the_file(tmp_path):
    """As after Ctrl-C, when the log is closed before what read it is gone."""
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"id", b"x", 0)] * 2)
    file = SqliteFile(tmp_path / "in.db")
    rows = file.each("SELECT offset FROM records ORDER BY offset")
    assert next(rows) == (0,)
    file.close()

    rows.close()
