"""One thread with a log of its own, for work that must not block the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from ..log.base import Log

Worker = TypeVar("Worker")
Answer = TypeVar("Answer")


class LogThread(Generic[Worker]):
    """Keeps what `make` builds over a log; both are made in the thread, when first needed: a log belongs to the thread
    that opened it."""

    def __init__(self, name: str, open_log: Callable[[], Log], make: Callable[[Log], Worker]) -> None:
        self._open_log = open_log
        self._make = make
        self._log: Log | None = None
        self._worker: Worker | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def ask(self, question: Callable[[Worker], Answer]) -> Answer:
        """The answer of the object to a question, worked out in the thread; its exceptions are raised here."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, question)

    def close(self) -> None:
        """Finish what was begun and let go of the log."""
        self._thread.submit(self._let_go).result()
        self._thread.shutdown()

    def _answer(self, question: Callable[[Worker], Answer]) -> Answer:
        if self._log is None:
            self._log = self._open_log()
        if self._worker is None:
            self._worker = self._make(self._log)
        return question(self._worker)

    def _let_go(self) -> None:
        if self._log is not None:
            self._log.close()
