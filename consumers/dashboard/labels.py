"""What people say about mails, appended to the log like any other label."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from consumers.forgetting import drafts_to_forget
from consumers.log.base import Draft, Log
from consumers.records import LABELS, LabelRecord, decode_label, encode


class Clerk:
    """Appends labels in the name of `source`, from one thread that owns its own log."""

    def __init__(self, open_log: Callable[[], Log], source: str) -> None:
        self._open_log = open_log
        self._log: Log | None = None
        self.source = source
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="clerk")

    def say(self, message_id: str, label: str | None) -> LabelRecord:
        """Append a label (None: the mail shall have none); raises Unusable for one that no worker would take."""
        record = LabelRecord(message_id, label, self.source, time.time())
        value = encode(record)
        decode_label(value)
        self._opened().append([Draft(LABELS, message_id.encode(), value)])
        return record

    def undo(self, source: str) -> int:
        """Take back all that a source says; returns how many opinions that were."""
        drafts = drafts_to_forget(self._opened(), source, None, 0.0, time.time())
        self._opened().append(drafts)
        return len(drafts)

    def _opened(self) -> Log:
        if self._log is None:
            self._log = self._open_log()
        return self._log

    def close(self) -> None:
        """Finish what was begun and let go of the log."""
        self.thread.shutdown(wait=True)
        if self._log is not None:
            self._log.close()
