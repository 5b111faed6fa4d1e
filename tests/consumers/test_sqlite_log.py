"""What only the SQLite log promises: a second member is kept out, a kill at any statement of a commit costs nothing."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys

import pytest

from consumers.errors import LogUnavailable
from consumers.log import sqlite_log
from consumers.log.base import Draft, TopicPartition
from consumers.log.sqlite_log import SqliteLog
from consumers.records import EMAILS, LABELS, PREDICTIONS, TOPICS

MAILS = 4
WORKER = f"""
import os, signal, sys
from pathlib import Path
from consumers.log.base import Draft, TopicPartition
from consumers.log.sqlite_log import SqliteLog

statements = int(sys.argv[2])
log = SqliteLog(Path(sys.argv[1]))
seat = log.join("workers", ("{EMAILS}", "{LABELS}"), "here-0")
records = []
while not records:
    records = seat.poll(limit=2)

def count(statement):
    global statements
    statements -= 1
    if statements == 0:
        os.kill(os.getpid(), signal.SIGKILL)

log._files["out"].set_trace_callback(count)
drafts = [Draft("{PREDICTIONS}", r.key, r.value, 0) for r in records]
seat.commit(drafts, {{TopicPartition("{EMAILS}", 0): records[-1].offset + 1}})
os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_kill_at_each_statement_of_a_commit_leaves_all_or_nothing(tmp_path):
    at, done = TopicPartition(PREDICTIONS, 0), 0
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log.append([Draft(EMAILS, b"id-%d" % n, b"mail %d" % n, 0) for n in range(MAILS)])
        statement, killed = 0, 0
        while done < MAILS:
            statement += 1
            ended = subprocess.run([sys.executable, "-c", WORKER, str(tmp_path), str(statement)], check=False)
            committed = ended.returncode == -signal.SIGTERM
            assert committed or ended.returncode == -signal.SIGKILL
            killed += not committed
            statement = 0 if committed else statement
            position = log.position("out", "workers", EMAILS) or 0
            assert [r.value for r in log.scan(at)] == [b"mail %d" % n for n in range(position)]
            assert position == done + 2 * committed
            done = position
    assert killed >= 5


def test_a_second_member_is_told_that_the_group_has_one(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_log, "FENCE_WAIT_S", 0.0)
    with SqliteLog(tmp_path) as log, SqliteLog(tmp_path) as other:
        log.create_topics(TOPICS, 1)
        seat = log.join("workers", (EMAILS, LABELS), "here-0")
        with pytest.raises(LogUnavailable, match="has a member already"):
            other.join("workers", (EMAILS, LABELS), "here-0")
        seat.close()
        other.join("workers", (EMAILS, LABELS), "here-0").close()


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "in.db").write_bytes(b"not a database, by any means" * 100)
    with pytest.raises(LogUnavailable, match=str(tmp_path)):
        SqliteLog(tmp_path)


def test_a_write_that_the_disk_refuses_is_one_clear_error(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        log._files["in"].execute("PRAGMA query_only = ON")
        with pytest.raises(LogUnavailable, match=r"in\.db"):
            log.append([Draft(EMAILS, b"a", b"mail", 0)])


def test_a_commit_that_the_disk_refuses_is_undone(tmp_path):
    with SqliteLog(tmp_path) as log:
        log.create_topics(TOPICS, 1)
        with pytest.raises(sqlite3.Error):
            log.write("out", [Draft(PREDICTIONS, b"a", b"1", 0), Draft(PREDICTIONS, b"b", object(), 0)])
        assert log.end_offset(TopicPartition(PREDICTIONS, 0)) == 0
