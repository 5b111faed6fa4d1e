"""Log lines of a process that runs for months: a kind of line is written at once, and then at most once a minute.

The kind of a line is its logger and its text without the values, or the caller's ``extra={"kind": ...}``. All lines of
a library are one kind, because a client that has lost its broker writes many different ones.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

EVERY_S = 60.0
CLEAR_LINE = "\r\x1b[K"
"""Erases a progress bar on a terminal before a line; the bar is drawn again below it."""


def kind_of(record: logging.LogRecord) -> str:
    """The kind of a line; its attribute `kind`, if the `record` has one, replaces its text."""
    package = record.name.partition(".")[0]
    return f"{record.name}: {getattr(record, 'kind', record.msg)}" if package == __name__.partition(".")[0] else package


class OncePerMinute(logging.Filter):
    """Passes a line unless one of its kind was written within the last minute, by `clock`, which is monotonic, in
    seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._written: dict[str, float] = {}

    def due(self, kind: str) -> bool:
        """Whether a line of this `kind`, any text, may be written now; if so, it counts as written."""
        now = self._clock()
        if now - self._written.get(kind, float("-inf")) < EVERY_S:
            return False
        self._written = {other: last for other, last in self._written.items() if now - last < EVERY_S}
        self._written[kind] = now
        return True

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a handler should write `record`; if so, it counts as written."""
        return self.due(kind_of(record))


class OneLine(logging.Formatter):
    """Leaves out the tracebacks of libraries, because their line says all about a broken connection."""

    def format(self, record: logging.LogRecord) -> str:
        """Format `record`; a line of this package keeps its traceback, if it has one."""
        if kind_of(record) == record.name.partition(".")[0]:
            record = logging.makeLogRecord(vars(record) | {"exc_info": None, "exc_text": None, "stack_info": None})
        return super().format(record)


def start_logging(name: str) -> None:
    """Write warnings, with the `name` of the process, to stderr or to the supervisor's handler."""
    form = f"%(asctime)s {name.replace('%', '%%')}: %(message)s"
    root = logging.getLogger()
    if not root.handlers:
        handler = logging.StreamHandler()
        handler.addFilter(OncePerMinute())
        root.addHandler(handler)
    for handler in root.handlers:
        handler.setFormatter(OneLine(form))
    logging.getLogger("kafka").setLevel(logging.ERROR)  # it retries whatever it warns about
