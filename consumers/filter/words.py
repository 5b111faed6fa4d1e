"""The words behind a score, from a copy of the model that follows the log.

They are only information for people and must not delay mails: one thread computes them beside the mail's path, and
while it is busy, answers are sent without them.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from ..errors import ConsumerError, Restart
from ..log.base import Log
from ..model.replica import Replica
from ..records.messages import as_value, read_value
from ..settings import Settings
from .verdict import strongest_words

MAX_WAITING = 16
FOLLOW_S = 1.0
PAUSE_S = 10.0
WORDS_S = 0.1
"""How long an answer waits for its words after the prediction has arrived."""

logger = logging.getLogger(__name__)


class StrongestWords:
    """Computes the strongest words of a mail and their weights; none while there is no model of two classes.

    Args:
        open_log: Opens the log; called in the thread that uses it, and again after a fault.
    """

    def __init__(self, open_log: Callable[[], Log], settings: Settings) -> None:
        self._open_log = open_log
        self._settings = settings
        self._log: Log | None = None
        self._replica: Replica | None = None
        self._due = float("-inf")
        self._waiting = threading.Semaphore(MAX_WAITING)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="filter-words")
        if settings.filter.words:
            self._thread.submit(self._follow)

    def ask(self, raw: bytes) -> Future[tuple[str, ...]] | None:
        """A future of a `raw` mail's words, each as ``word +0.52``; None if they are off or too many requests wait."""
        if not self._settings.filter.words or not self._waiting.acquire(blocking=False):
            return None
        answer = self._thread.submit(self._answer, raw)
        answer.add_done_callback(lambda _: self._waiting.release())
        return answer

    def close(self) -> None:
        """Close the log and end the thread."""
        # The thread that opened the log must close it.
        self._thread.submit(self._close_log)
        self._thread.shutdown()

    def _answer(self, raw: bytes) -> tuple[str, ...]:
        try:
            return self._strongest(raw)
        except Exception:  # a mail must not fail because of its words
            logger.exception("words are left out")
            return ()

    def _strongest(self, raw: bytes) -> tuple[str, ...]:
        self._follow()
        model = self._replica.model if self._replica is not None else None
        if model is None or len(model.classes) < 2:
            return ()
        mail = read_value(as_value(raw), "-", self._settings.learner.headers).mail
        return strongest_words(model, mail, self._settings.filter.words)

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()
        self._log = None

    def _follow(self) -> None:
        """Update the copy of the model, at most once per `FOLLOW_S`; if the log fails, keep it until the next try."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + FOLLOW_S
        try:
            if self._log is not None and self._replica is not None:
                self._replica.follow()
            else:
                self._replica = None  # two models at once might not fit into memory
                self._log = self._log or self._open_log()
                self._replica = Replica.load(self._log, self._settings)
        except Restart:
            self._close_log()
        except ConsumerError as error:
            self._close_log()
            logger.warning("cannot read the model, words are left out: %s", error)
            self._due = time.monotonic() + PAUSE_S


async def in_time(words: Future[tuple[str, ...]] | None) -> tuple[str, ...]:
    """The `words` of a future of `StrongestWords.ask`; none if they take longer than `WORDS_S`, or nobody asked."""
    if words is None:
        return ()
    try:
        async with asyncio.timeout(WORDS_S):
            return await asyncio.wrap_future(words)
    except TimeoutError:
        return ()
