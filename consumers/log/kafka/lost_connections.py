"""Why the brokers cannot be reached: the library (3.0) raises that they cannot, and only logs why."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

CONNECTIONS = "kafka.net.connection"
"""The library's logger with a line for each connection that was lost, whose values have the error."""


class _Causes(logging.Handler):
    def __init__(self, causes: list[str]) -> None:
        super().__init__()
        self._causes = causes

    def emit(self, record: logging.LogRecord) -> None:
        for value in record.args if isinstance(record.args, tuple) else ():
            if isinstance(value, Exception) and str(value) not in self._causes:
                self._causes.append(str(value))


@contextmanager
def lost_connections() -> Generator[list[str]]:
    """Why connections are lost in the block, each cause once, in the order in which they come."""
    causes: list[str] = []
    handler = _Causes(causes)
    logging.getLogger(CONNECTIONS).addHandler(handler)
    try:
        yield causes
    finally:
        logging.getLogger(CONNECTIONS).removeHandler(handler)
