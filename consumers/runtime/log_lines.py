"""Log lines of a process that runs for months: a line of one kind comes at once, then at most once a minute.

A line's kind is its logger and its text without the values, or what the caller gives as ``extra={"kind": ...}``. All
that a library writes is one kind: a client that has lost its broker writes many different lines.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

EVERY_S = 60.0


def kind_of(record: logging.LogRecord) -> str:
    """The kind of a line.

    Args:
        record: The line; its attribute `kind`, where it has one, takes the place of its text.
    """
    package = record.name.partition(".")[0]
    return f"{record.name}: {getattr(record, 'kind', record.msg)}" if package == __name__.partition(".")[0] else package


class OncePerMinute(logging.Filter):
    """Lets a kind of line through when none was written within the last minute.

    Args:
        clock: Gives seconds, and never goes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._written: dict[str, float] = {}

    def due(self, kind: str) -> bool:
        """Whether a line of this kind may be written now; it then counts as written.

        Args:
            kind: Any text; lines with the same text are of one kind.
        """
        now = self._clock()
        if now - self._written.get(kind, float("-inf")) < EVERY_S:
            return False
        self._written = {other: last for other, last in self._written.items() if now - last < EVERY_S}
        self._written[kind] = now
        return True

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a handler should write `record`, which then counts as written."""
        return self.due(kind_of(record))


class OneLine(logging.Formatter):
    """Leaves out the tracebacks of libraries: what they say of a broken connection is in their line."""

    def format(self, record: logging.LogRecord) -> str:
        """`record` as text; a line of this package keeps its traceback, if it has one."""
        if kind_of(record) == record.name.partition(".")[0]:
            record = logging.makeLogRecord(vars(record) | {"exc_info": None, "exc_text": None, "stack_info": None})
        return super().format(record)


def start_logging(name: str) -> None:
    """Write warnings, under the name of the process, to stderr, or where the supervisor has them sent.

    Args:
        name: The name of the process.
    """
    form = f"%(asctime)s {name.replace('%', '%%')}: %(message)s"
    root = logging.getLogger()
    if not root.handlers:
        handler = logging.StreamHandler()
        handler.addFilter(OncePerMinute())
        root.addHandler(handler)
    for handler in root.handlers:
        handler.setFormatter(OneLine(form))
    logging.getLogger("kafka").setLevel(logging.ERROR)  # what it warns of it also retries
