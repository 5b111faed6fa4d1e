"""Heartbeats for a worker that is still importing its code or, the first time, compiling it."""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Event, Thread

from ..errors import ConsumerError
from ..monitor.health import HealthObserver
from ..records.heartbeat import STARTING_S, WORKER, HeartbeatWriter
from ..records.setup import open_existing_log
from ..runtime.process_slot import take_slot
from ..settings import Settings

NOTE = "loading, or compiling once (about a minute)"


class WorkerStart:
    """Writes heartbeats on behalf of a worker that is starting, until `end` or the end of the `with` block. At the end
    of the block, a worker that has not started is marked as stopped, unless the end is an exception, as a second Ctrl-C
    is: a log that does not answer would delay it.

    Errors are ignored here, because the worker meets them, too.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        slot = take_slot(settings, settings.worker.group)
        slot.lock.close()
        self._member = slot.member
        self._ended = Event()
        self._thread = Thread(target=self._beat, name="worker-start", daemon=True)

    def __enter__(self) -> WorkerStart:
        self._thread.start()
        return self

    def end(self) -> None:
        """Stop, because the worker runs and writes its own heartbeats."""
        self._ended.set()
        self._thread.join()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._ended.set()
        if kind is not None:
            return
        self._thread.join()
        with suppress(ConsumerError), open_existing_log(self._settings) as log:
            stages = HealthObserver(log).look(time.time()).stages
            if any((one.stage, one.member) == (WORKER, self._member) and one.is_starting for one in stages):
                HeartbeatWriter(log, WORKER, self._member).beat(stopped=True)

    def _beat(self) -> None:
        with suppress(ConsumerError), open_existing_log(self._settings) as log:
            heartbeat = HeartbeatWriter(log, WORKER, self._member)
            while not self._ended.is_set():
                heartbeat.beat(starting=NOTE)
                self._ended.wait(STARTING_S)
