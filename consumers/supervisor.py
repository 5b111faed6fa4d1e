"""Keep worker processes running: any that ends in doubt is started again from the log.

A worker never repairs itself; it ends, and its successor reads where things stand. The supervisor is the only
thing that lives on, and it holds no state but the processes. They are forked from a server that has imported and
compiled everything once and opened nothing (`consumers.warm`), so a successor is at work within a second.
"""

from __future__ import annotations

import logging
import multiprocessing
import time
from collections.abc import Callable, Sequence
from threading import Event

from consumers.errors import STATUS_USER_ERROR

logger = logging.getLogger(__name__)

GRACE_S = 9.0
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
HEALTHY_S = 3.0

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["consumers.warm"])


class Child:
    """One supervised process; it can tell when the supervisor dies (`consumers.stopping`)."""

    def __init__(self, job: Callable[[], object]) -> None:
        self._job = job
        self._pause_s = FIRST_PAUSE_S
        self.start()

    def start(self) -> None:
        """Start the process (again)."""
        self.started = time.monotonic()
        self.process = _forks.Process(target=self._job)
        self.process.start()

    def pause_s(self) -> float:
        """How long to wait before the next start: longer each time, short again after a healthy run."""
        if time.monotonic() - self.started > HEALTHY_S:
            self._pause_s = FIRST_PAUSE_S
        pause, self._pause_s = self._pause_s, min(2 * self._pause_s, LONGEST_PAUSE_S)
        return pause


def supervise(
    jobs: Sequence[Callable[[], object]], stop: Event, ended: Callable[[int], None] = lambda status: None
) -> int:
    """Run one process a job until `stop` is set; returns the exit status of the whole.

    A job is a function that can be pickled. Status 0 of a process counts as a stop asked for, status 2 (a user's
    mistake) stops all; any other ends in a new start, of which `ended` is told the status.
    """
    children = [Child(job) for job in jobs if not stop.is_set()]
    status = 0
    try:
        while children and not stop.wait(0.05):
            for child in list(children):
                code = child.process.exitcode
                if code is None:
                    continue
                if code in (0, STATUS_USER_ERROR):
                    children.remove(child)
                    if code == STATUS_USER_ERROR:
                        status = code
                        stop.set()
                    continue
                ended(code)
                pause = child.pause_s()
                logger.warning("process %d ended with status %d; new start in %.2f s", child.process.pid, code, pause)
                if not stop.wait(pause):
                    child.start()
    finally:
        _stop_all(children)
    return status


def _stop_all(children: list[Child]) -> None:
    for child in children:
        child.process.terminate()
    deadline = time.monotonic() + GRACE_S
    for child in children:
        child.process.join(max(0.0, deadline - time.monotonic()))
        if child.process.exitcode is None:
            child.process.kill()
            child.process.join()
