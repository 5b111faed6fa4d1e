"""Keep worker processes running: any that ends in doubt is started again from the log.

A worker never repairs itself; it ends, and its successor reads where things stand. The supervisor is the only
thing that lives on, and it holds no state but the processes.
"""

from __future__ import annotations

import logging
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from threading import Event

from consumers.errors import STATUS_USER_ERROR

logger = logging.getLogger(__name__)

GRACE_S = 9.0
FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
HEALTHY_S = 10.0


class Child:
    """One supervised process; its standard input is a pipe that closes when the supervisor dies."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._pause_s = FIRST_PAUSE_S
        self.start()

    def start(self) -> None:
        """Start the process (again)."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE)

    def close(self) -> None:
        """Close our end of the pipe of a process that has ended."""
        if self.process.stdin:
            self.process.stdin.close()

    def pause_s(self) -> float:
        """How long to wait before the next start: longer each time, short again after a healthy run."""
        if time.monotonic() - self.started > HEALTHY_S:
            self._pause_s = FIRST_PAUSE_S
        pause, self._pause_s = self._pause_s, min(2 * self._pause_s, LONGEST_PAUSE_S)
        return pause


def supervise(
    commands: Sequence[Sequence[str]], stop: Event, ended: Callable[[int], None] = lambda status: None
) -> int:
    """Run one process a command until `stop` is set; returns the exit status of the whole.

    Status 0 of a process counts as a stop asked for, status 2 (a user's mistake) stops all; any other ends in a new
    start, of which `ended` is told the status.
    """
    children = [Child(command) for command in commands]
    status = 0
    try:
        while children and not stop.wait(0.05):
            for child in list(children):
                code = child.process.poll()
                if code is None:
                    continue
                child.close()
                if code in (0, STATUS_USER_ERROR):
                    children.remove(child)
                    if code == STATUS_USER_ERROR:
                        status = code
                        stop.set()
                    continue
                ended(code)
                pause = child.pause_s()
                logger.warning("process %d ended with status %d; new start in %.1f s", child.process.pid, code, pause)
                if not stop.wait(pause):
                    child.start()
    finally:
        _stop_all(children)
    return status


def _stop_all(children: list[Child]) -> None:
    for child in children:
        if child.process.poll() is None:
            child.process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + GRACE_S
    for child in children:
        try:
            child.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.process.kill()
            child.process.wait()
        child.close()
