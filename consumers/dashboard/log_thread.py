"""One thread with a log of its own, for work that must not block the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from ..errors import LogUnavailable, Restart
from ..log.base import Log

Owner = TypeVar("Owner")
Result = TypeVar("Result")


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
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def run(self, call: Callable[[Owner], Result]) -> Result:
        """What `call` returns for the object, run in the thread; its exceptions are raised here."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, call)

    def close(self) -> None:
        """Finish what was begun and close the log."""
        self._thread.submit(self._close_log).result()
        self._thread.shutdown()

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
