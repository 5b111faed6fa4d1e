"""The words behind a score, from a copy of the model that follows the log.

They are for people and must not cost mails: one thread works them out beside the mail's path, and when it is busy
answers go without them.
"""

from __future__ import annotations

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
from .verdict import shown_words

MAX_WAITING = 16
FOLLOW_S = 1.0
PAUSE_S = 10.0

logger = logging.getLogger(__name__)


class Words:
    """Answers with the strongest words of a mail and their weights; nothing while there is no model.

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
        """The words of a mail, each as ``word +0.52``, to come; None when too many are asked for.

        Args:
            raw: RFC 5322 bytes of the mail.
        """
        if not self._settings.filter.words or not self._waiting.acquire(blocking=False):
            return None
        answer = self._thread.submit(self._answer, raw)
        answer.add_done_callback(lambda _: self._waiting.release())
        return answer

    def close(self) -> None:
        """End, and let go of the log."""
        # A log belongs to the thread that opened it.
        self._thread.submit(self._let_go)
        self._thread.shutdown()

    def _answer(self, raw: bytes) -> tuple[str, ...]:
        try:
            return self._strongest(raw)
        except Exception:  # no mail waits, or fails, for its words
            logger.exception("words are left out")
            return ()

    def _strongest(self, raw: bytes) -> tuple[str, ...]:
        self._follow()
        model = self._replica.model if self._replica is not None else None
        if model is None or len(model.classes) < 2:
            return ()
        mail = read_value(as_value(raw), "-", self._settings.learner.headers).mail
        return shown_words(model.evidence(mail, self._settings.filter.words).terms)

    def _let_go(self) -> None:
        if self._log is not None:
            self._log.close()
        self._log = None

    def _follow(self) -> None:
        """Bring the copy up to date, at most once in `FOLLOW_S`; where the log fails, the copy stays as it is."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + FOLLOW_S
        try:
            if self._log is not None and self._replica is not None:
                self._replica.follow()
            else:
                self._log = self._log or self._open_log()
                self._replica = Replica.load(self._log, self._settings)
        except Restart:
            self._let_go()
        except ConsumerError as error:
            self._let_go()
            logger.warning("the model cannot be read, words are left out: %s", error)
            self._due = time.monotonic() + PAUSE_S
