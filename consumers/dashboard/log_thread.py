"""One thread with a log of its own, for work that must not block the server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Generic, TypeVar

from ..errors import LogUnavailable, Restart
from ..log.base import Log

Owner = TypeVar("Owner")
Result = TypeVar("Result")

CLOSE_S = 5.0
"""So long what was begun may take at the end; an explanation of many classes takes minutes."""


class LogThread(Generic[Owner]):
    """Keeps the object that `make` builds over a log. Both are made in the thread, when first needed: a log belongs to
    the thread that opened it. After a fault of the log both are made anew.

    Args:
        name: The thread's name.
        open_log: Opens the log; called in the thread that uses it, and again after a fault.
    """

    def __init__(self, name: str, open_log: Callable[[], Log], make: Callable[[Log], Owner]) -> None:
        self._open_log = open_log
        self._make = make
        self._log: Log | None = None
        self._owner: Owner | None = None
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # The end of the process does not wait for a daemon, as it does for the threads of an executor.
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def run(self, call: Callable[[Owner], Result]) -> Result:
        """What `call` returns for the object, run in the thread; its exceptions are raised here."""
        answer: Future[Result] = Future()
        self._calls.put(lambda: self._answer(answer, call))
        return await asyncio.wrap_future(answer)

    def close(self) -> None:
        """Finish what was begun and close the log; after `CLOSE_S` seconds that is left to the end of the process."""
        self._calls.put(None)
        self._thread.join(CLOSE_S)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
        self._close_log()

    def _answer(self, answer: Future[Result], call: Callable[[Owner], Result]) -> None:
        if not answer.set_running_or_notify_cancel():
            return
        try:
            answer.set_result(self._run(call))
        except BaseException as error:
            answer.set_exception(error)

    def _run(self, call: Callable[[Owner], Result]) -> Result:
        try:
            if self._log is None:
                self._log = self._open_log()
            if self._owner is None:
                self._owner = self._make(self._log)
            return call(self._owner)
        except (LogUnavailable, Restart):
            self._close_log()
            raise

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()
        self._log = self._owner = None
