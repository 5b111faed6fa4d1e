"""A log that may not be written can be read, if nobody writes to it."""

import os

import pytest

from consumers.errors import LogUnavailable
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import EMAILS, TOPICS

AT = TopicPartition(EMAILS, 0)


@pytest.fixture
def folder(tmp_path):
    """The folder of a closed log with a mail."""
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
    return tmp_path / "log"


@pytest.fixture
def read_only(monkeypatch):
    """A function that takes away the right to write, whoever runs the tests: root has it everywhere."""
    access = os.access

    def take(taken: bool) -> None:
        monkeypatch.setattr("os.access", (lambda path, mode: mode != os.W_OK) if taken else access)

    return take


def test_a_log_that_may_not_be_written_can_be_read(folder, read_only):
    """As a mounted backup."""
    files = sorted(folder.iterdir())
    read_only(True)
    with SqliteLog(folder, create=False) as log:
        assert len(list(log.scan(AT))) == 1
        assert sorted(folder.iterdir()) == files
        with pytest.raises(LogUnavailable, match=r"readonly database; give the folder to the user .*such as a copy"):
            log.append([ProducerRecord(EMAILS, b"b", b"mail", 0)])


def test_a_log_that_others_write_to_is_not_read_without_locks(folder, read_only):
    """Its file lacks what is in the write-ahead log, and changes while it is read."""
    read_only(True)
    with SqliteLog(folder, create=False) as reader:
        read_only(False)
        with SqliteLog(folder) as log:
            log.append([ProducerRecord(EMAILS, b"b", b"mail", 0)])
            read_only(True)
            with pytest.raises(LogUnavailable, match=r"another user writes to in\.db now; try again, or read a copy"):
                list(reader.scan(AT))
            with SqliteLog(folder, create=False) as other:
                assert len(list(other.scan(AT))) == 2
