"""Finds out why the brokers cannot be reached, because the library (3.0) only logs the cause and does not raise it."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

CONNECTIONS = "kafka.net.connection"
"""The library's logger for lost connections; the error is among the arguments of each log record."""


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
    """Collect why connections are lost in the block: a list that grows by each new cause."""
    causes: list[str] = []
    handler = _Causes(causes)
    logging.getLogger(CONNECTIONS).addHandler(handler)
    try:
        yield causes
    finally:
        logging.getLogger(CONNECTIONS).removeHandler(handler)
