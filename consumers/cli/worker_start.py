"""While what a worker runs is imported, and the first time compiled, the log tells that it is on its way."""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Event, Thread

from ..errors import ConsumerError
from ..monitor.health import STARTING, HealthObserver
from ..records.heartbeat import STARTING_S, WORKER, HeartbeatWriter
from ..records.setup import open_existing_log
from ..runtime.process_slot import take_slot
from ..settings import Settings

NOTE = "loading, or compiling once (about a minute)"


class WorkerStart:
    """Heartbeats of a worker that is starting, in the place of the one that is to come, until `end` or the end of the
    `with` block; then a worker that has not come counts as stopped.

    What fails here is not told: the worker meets it, too.

    Args:
        settings: Which log, and the worker's group.
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
        """The worker runs, and writes its own heartbeats."""
        self._ended.set()
        self._thread.join()

    def __exit__(self, *_: object) -> None:
        self.end()
        with suppress(ConsumerError), open_existing_log(self._settings) as log:
            stages = HealthObserver(log).look(time.time()).stages
            if any((one.stage, one.member, one.state) == (WORKER, self._member, STARTING) for one in stages):
                HeartbeatWriter(log, WORKER, self._member).beat(stopped=True)

    def _beat(self) -> None:
        with suppress(ConsumerError), open_existing_log(self._settings) as log:
            heartbeat = HeartbeatWriter(log, WORKER, self._member)
            while not self._ended.is_set():
                heartbeat.beat(starting=NOTE)
                self._ended.wait(STARTING_S)
