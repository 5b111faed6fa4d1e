"""Reads a log on a machine that may be too busy for it to answer in time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from consumers.errors import LogUnavailable
from consumers.log import open_log
from consumers.log.base import Log
from consumers.settings import Settings

TRIES = 6

Result = TypeVar("Result")


def look_at_log(settings: Settings, look: Callable[[Log], Result]) -> Result:
    """The result of `look`; if the log does not answer, it is opened again and `look` is called again."""
    for _ in range(TRIES - 1):
        with suppress(LogUnavailable), open_log(settings) as log:
            return look(log)
    with open_log(settings) as log:
        return look(log)
