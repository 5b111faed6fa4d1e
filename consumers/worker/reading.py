"""The queue of a partition's mails to read; a thread reads on while a commit waits for the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

from ..errors import BadRecord
from ..log.base import Record
from ..records.messages import Message, read_message

AT_ONCE = 64
_thread = ThreadPoolExecutor(1, "reading")  # one per process, started by the first backlog


class ReadingQueue:
    """Parses the records of `emails`, several in a row, because alternating between reading and scoring is slower;
    `headers` is ``keep`` or ``safe``, as in `[learner] headers`."""

    def __init__(self, headers: str) -> None:
        self._headers = headers
        self._unread: deque[Record] = deque()
        self._read: dict[int, Message | BadRecord] = {}

    @property
    def waiting(self) -> int:
        """The number of mails that are still to be read."""
        return len(self._unread)

    def add(self, records: Iterable[Record]) -> None:
        """Append mails to the queue."""
        self._unread.extend(records)

    def read_next(self) -> bool:
        """Read the first mail that is waiting; returns whether there was one."""
        if not self._unread:
            return False
        record = self._unread.popleft()
        try:
            self._read[record.offset] = read_message(record, self._headers)
        except BadRecord as error:
            self._read[record.offset] = error
        return True

    def take(self, record: Record) -> Message:
        """The message of a record; the next one in the order of `add`. Raises BadRecord."""
        if record.offset not in self._read:
            for _ in range(min(AT_ONCE, self.waiting)):
                self.read_next()
        message = self._read.pop(record.offset)
        if isinstance(message, BadRecord):
            raise message
        return message


@contextmanager
def reading_on(queues: Iterable[ReadingQueue]) -> Generator[None]:
    """Read the mails that wait in these queues until the block ends, in a thread; nothing else may use them meanwhile.

    A commit waits for answers of the log most of its time.
    """
    waiting = [queue for queue in queues if queue.waiting]
    if not waiting:
        yield
        return
    ended = Event()
    reading = _thread.submit(_read_until, ended, waiting)
    try:
        yield
    finally:
        ended.set()
        reading.result()


def _read_until(ended: Event, queues: list[ReadingQueue]) -> None:
    for queue in queues:
        while queue.waiting and not ended.is_set():
            queue.read_next()
