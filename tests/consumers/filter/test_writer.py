"""The writer thread: appends that wait are made together, and a failed log is opened again."""

import threading
from queue import SimpleQueue

import pytest

from consumers.errors import LogUnavailable
from consumers.filter import writer as module
from consumers.filter.writer import LogWriter
from consumers.log.base import ProducerRecord
from tests.support.own_log import own_messages


class SlowLog:
    """A log that blocks until `go` is set and remembers the size of each append; the first one fails with `error`."""

    def __init__(self, error=None):
        self.go = threading.Event()
        self.begun = threading.Event()
        self.appends = []
        self.closed = 0
        self.error = error

    def append(self, records):
        self.begun.set()
        self.go.wait(60)
        self.appends.append(len(records))
        if self.error is not None and len(self.appends) == 1:
            raise self.error

    def close(self):
        self.closed += 1


def record(size=1):
    return [ProducerRecord("emails", b"id", b"x" * size)]


def test_records_that_wait_are_appended_together():
    log, done = SlowLog(), SimpleQueue()
    writer = LogWriter(lambda: log)
    writer.append(record(), done.put)
    assert log.begun.wait(60)

    for _ in range(100):
        assert writer.append(record(), done.put)
    log.go.set()

    assert [done.get(timeout=60) for _ in range(101)] == [None] * 101
    writer.close()
    assert log.appends == [1, 100]
    assert log.closed == 1


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (LogUnavailable("the disk is full"), "mails and labels cannot be appended to the log: the disk is full"),
        (ValueError("not foreseen"), "the log fails"),
    ],
)
def test_a_failed_log_is_closed_and_opened_again(caplog, error, line):
    log, done, opened = SlowLog(error), SimpleQueue(), []
    log.go.set()
    writer = LogWriter(lambda: opened.append(1) or log)

    writer.append(record(), done.put)
    assert isinstance(done.get(timeout=60), LogUnavailable)
    assert own_messages(caplog) == [line]
    for _ in range(2):
        writer.append(record(), done.put)
        assert done.get(timeout=60) is None
    writer.close()

    assert own_messages(caplog) == [line, "mails and labels are appended again"]
    assert len(opened) == log.closed == 2


def test_a_log_that_could_not_be_opened_is_opened_for_the_next_records():
    log, done, refusals = SlowLog(), SimpleQueue(), [LogUnavailable("it is away")]
    log.go.set()

    def open_log():
        if refusals:
            raise refusals.pop()
        return log

    writer = LogWriter(open_log)
    for error in (LogUnavailable, type(None)):
        writer.append(record(), done.put)
        assert isinstance(done.get(timeout=60), error)
    writer.close()


def test_the_bytes_that_wait_are_bounded(monkeypatch):
    monkeypatch.setattr(module, "MAX_WAITING_BYTES", 1000)
    log, done = SlowLog(), SimpleQueue()
    writer = LogWriter(lambda: log)

    assert writer.append(record(600), done.put)
    assert not writer.append(record(600), done.put)

    log.go.set()
    assert done.get(timeout=60) is None
    assert writer.append(record(600), done.put)
    writer.close()
