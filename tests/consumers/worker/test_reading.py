"""Mails are parsed in order; while a block runs, a thread of its own parses them."""

from threading import Event

import pytest

from consumers.errors import BadRecord
from consumers.log.base import Record
from consumers.records.schemas import EMAILS
from consumers.runtime.pause import pause
from consumers.worker.reading import AT_ONCE, ReadingQueue, reading_on
from tests.support.waiting import until


def record(n: int) -> Record:
    value = None if n % 5 == 3 else b"Subject: mail %d\n\nhello" % n
    return Record(EMAILS, 0, n, b"id-%d" % n, value, 0.0)


def queue_of(count: int) -> ReadingQueue:
    queue = ReadingQueue("keep")
    queue.add([record(n) for n in range(count)])
    return queue


def take_all(queue: ReadingQueue, count: int) -> None:
    """Check that the mails are taken in order, and that each unreadable one raises in its turn."""
    for n in range(count):
        if record(n).value is None:
            with pytest.raises(BadRecord, match="mail without a byte"):
                queue.take(record(n))
        else:
            assert queue.take(record(n)).subject == f"mail {n}"


@pytest.mark.parametrize("count", [1, AT_ONCE, 2 * AT_ONCE + 5])
def test_mails_are_parsed_in_order_and_unreadable_ones_raise(count):
    queue = queue_of(count)
    take_all(queue, count)
    assert queue.waiting == 0


def test_mails_that_were_parsed_one_by_one_before_are_taken_in_their_order():
    queue = queue_of(5)
    assert [queue.read_next() for _ in range(3)] == [True, True, True]
    assert queue.waiting == 2
    take_all(queue, 5)
    assert not queue.read_next()


def test_mails_of_all_queues_are_parsed_in_a_thread_during_the_block():
    queues = [queue_of(7), queue_of(0), queue_of(AT_ONCE + 3)]
    with reading_on(queues):
        until(lambda: not any(queue.waiting for queue in queues))
    take_all(queues[0], 7)
    take_all(queues[2], AT_ONCE + 3)


def test_the_parsing_thread_ends_with_the_block(monkeypatch):
    queue = queue_of(3)
    monkeypatch.setattr(ReadingQueue, "read_next", lambda self: None)  # as if a mail took forever: it stays queued
    with reading_on([queue]):
        pass
    with pytest.raises(RuntimeError, match="from the block"), reading_on([queue]):
        raise RuntimeError("from the block")
    monkeypatch.undo()
    take_all(queue, 3)


def test_a_block_ends_after_the_mail_that_is_being_parsed(monkeypatch):
    """Else the thread and the caller would parse at the same time, and the caller would miss a mail."""
    began, queue, parse = Event(), queue_of(3), ReadingQueue.read_next

    def slowly(self: ReadingQueue) -> None:
        began.set()
        pause(0.05)
        parse(self)

    monkeypatch.setattr(ReadingQueue, "read_next", slowly)
    with reading_on([queue]):
        assert began.wait(30)
    assert queue.waiting < 3
