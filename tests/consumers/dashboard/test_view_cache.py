"""The view is followed although the log is away for a while."""

from __future__ import annotations

from threading import Event

import pytest

from consumers.dashboard import view_cache
from consumers.dashboard.view_cache import ViewCache, follow
from consumers.errors import LogUnavailable
from consumers.log.base import Log
from consumers.log.memory import MemoryLog
from tests.support.memory_log import new_log
from tests.support.own_log import own_messages


def test_a_log_that_answers_again_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise the last line of the dashboard would stay the error."""
    monkeypatch.setattr(view_cache, "AGAIN_S", 0.0)
    stop, topics, reads = Event(), new_log().topics, list[int]()

    class Counted(MemoryLog):
        def read(self, next_offsets, limit=1000, timeout_s=0.0):
            reads.append(len(reads))
            if len(reads) == 2:
                raise LogUnavailable("the broker is away")
            if len(reads) == 5:
                stop.set()
            return super().read(next_offsets, limit, 0.0)

    def open_log() -> Log:
        return Counted(topics)

    follow(ViewCache(), open_log, stop)

    assert own_messages(caplog) == [
        "following the monitor's view again: the broker is away",
        "the log answers again",
    ]
