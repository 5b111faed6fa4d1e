"""A thread with its own log, for work that must not block the server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Generic, TypeVar

from ..errors import LogUnavailable, MissingRight, Restart
from ..log.base import Log

Owner = TypeVar("Owner")
Result = TypeVar("Result")

CLOSE_S = 5.0
"""Seconds to wait at shutdown for work in progress; an explanation with many classes takes minutes."""


class LogThread(Generic[Owner]):
    """Owns the log that `open_log` returns, and the object that `make` builds on it. The thread, which has this `name`,
    creates both when first needed, because a log belongs to the thread that opened it. After a fault of the log it
    creates both again."""

    def __init__(self, name: str, open_log: Callable[[], Log], make: Callable[[Log], Owner]) -> None:
        self._open_log = open_log
        self._make = make
        self._log: Log | None = None
        self._owner: Owner | None = None
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # A daemon, unlike an executor's threads, does not delay the exit of the process.
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def run(self, call: Callable[[Owner], Result]) -> Result:
        """Run `call` with the object in the thread; return its result, or raise its exception."""
        answer: Future[Result] = Future()
        self._calls.put(lambda: self._answer(answer, call))
        return await asyncio.wrap_future(answer)

    def close(self) -> None:
        """Finish the queued work and close the log, but wait at most `CLOSE_S` seconds."""
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
        except (LogUnavailable, MissingRight, Restart):
            self._close_log()
            raise

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()
        self._log = self._owner = None
