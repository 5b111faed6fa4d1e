"""One thread that appends for all connections, so that many requests share a commit."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from ..errors import ConsumerError, LogUnavailable
from ..log.base import Log, ProducerRecord

BATCH_RECORDS = 500
MAX_WAITING_BYTES = 64 << 20

logger = logging.getLogger(__name__)

Done = Callable[[ConsumerError | None], None]


class LogWriter:
    """Appends all waiting records together; a log that failed is opened again for the next batch.

    Args:
        open_log: Opens the log; called in the thread that uses it, and again after a fault.
    """

    def __init__(self, open_log: Callable[[], Log]) -> None:
        self._open_log = open_log
        self._queue: SimpleQueue[tuple[Sequence[ProducerRecord], Done] | None] = SimpleQueue()
        self._waiting_bytes = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="filter-writer", daemon=True)
        self._thread.start()

    def append(self, records: Sequence[ProducerRecord], done: Done) -> bool:
        """Queue `records` to be appended in one commit.

        `done` is called in the writer's thread, with None once they are durable, or with the error. Returns False, and
        does not call `done`, if more than `MAX_WAITING_BYTES` would wait.
        """
        size = _size(records)
        with self._lock:
            if self._waiting_bytes + size > MAX_WAITING_BYTES:
                return False
            self._waiting_bytes += size
        self._queue.put((records, done))
        return True

    def close(self) -> None:
        """Append the waiting records, then end the thread."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        log: Log | None = None
        running, failing = True, False
        while running:
            batch, running = self._next_batch()
            if not batch:
                continue
            error: ConsumerError | None = None
            try:
                log = log or self._open_log()
                log.append([record for records, _ in batch for record in records])
            except ConsumerError as failed:
                logger.warning("mails and labels cannot be appended to the log: %s", failed)
                error = failed
            except Exception as failed:  # if the thread ended, no mail would get an answer
                logger.exception("the log fails")
                error = LogUnavailable(f"the log fails: {failed!r}")
            if error is not None:
                _close(log)
                log = None
            elif failing:
                logger.warning("mails and labels are appended again")
            failing = error is not None
            with self._lock:
                self._waiting_bytes -= sum(_size(records) for records, _ in batch)
            for _, done in batch:
                done(error)
        _close(log)

    def _next_batch(self) -> tuple[list[tuple[Sequence[ProducerRecord], Done]], bool]:
        """Wait for an item, then return it with all others in the queue, and whether more may follow."""
        batch: list[tuple[Sequence[ProducerRecord], Done]] = []
        item = self._queue.get()
        while item is not None:
            batch.append(item)
            if len(batch) >= BATCH_RECORDS:
                return batch, True
            try:
                item = self._queue.get_nowait()
            except Empty:
                return batch, True
        return batch, False


def _size(records: Sequence[ProducerRecord]) -> int:
    return sum(len(record.value or b"") for record in records)


def _close(log: Log | None) -> None:
    if log is not None:
        log.close()
