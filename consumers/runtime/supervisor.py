"""Keeps processes running: a process that ends with an error is restarted.

A worker never repairs itself: it ends, and its successor reads from the log what was committed. The supervisor's only
state is its processes. They are forked from a server (multiprocessing's "forkserver") that has imported and compiled
everything once and has nothing open, so a successor is at work within a second. If the server dies, its processes
continue, and the next start creates a new server.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing import forkserver
from threading import Event, Thread
from typing import Any

from ..errors import STATUS_USER_ERROR
from .child import FORKS, Child, Job
from .log_lines import start_logging

logger = logging.getLogger(__name__)

GRACE_S = 9.0
"""Processes that have not ended this long after SIGTERM are killed."""
HURRY_S = 1.0
"""The same after a second Ctrl-C, which `timeout -s INT` sends right after the first."""

PRELOAD_FIRST = f"{__package__}.fork_server_start"


def supervise(
    jobs: Sequence[Job],
    stop: Event,
    preload: str | None = None,
    started: Callable[[], None] = lambda: None,
) -> int:
    """Run one process for each job until `stop` is set; returns the exit status of the supervisor.

    A process whose job returns is not restarted; status 2 (UserError) stops all processes; any other status restarts
    the process. The supervisor's status is 2 if a process ended with it, else 0.

    Args:
        jobs: Each is called with an event of its own, set when it should end, or when the supervisor has died.
        stop: Ends all processes when it is set; status 2 sets it, too.
        preload: Full name of a module that the fork server imports first; None for none. Once `stop` is set, the import
            is not waited for.
        started: Called once all processes run, after their imports.
    """
    start_logging("supervisor")
    FORKS.set_forkserver_preload([PRELOAD_FIRST] if preload is None else [PRELOAD_FIRST, preload])
    children: list[Child] = []
    restarts: dict[Child, float] = {}  # of the processes that have ended, on the monotonic clock
    status = 0
    try:
        if _start(jobs, children, stop):
            started()
        while children and not stop.wait(0.05):
            for child in list(children):
                if child in restarts:
                    if time.monotonic() >= restarts[child] and not stop.is_set():
                        del restarts[child]
                        child.start()
                elif (code := child.status) in (0, STATUS_USER_ERROR):
                    children.remove(child)
                    if code == STATUS_USER_ERROR:
                        status = code
                        stop.set()
                elif code is not None:
                    pause = child.pause_s()
                    if child.should_log(code):
                        what = f"process {child.pid} ended with status {code}"
                        logger.warning("%s; restarting in %.2f s", child.failure or what, pause)
                    restarts[child] = time.monotonic() + pause
                elif child.recovered():
                    logger.warning("process %d works again", child.pid, extra={"kind": f"{child.pid} works again"})
    finally:
        _stop_all(children)
    return status


def _start(jobs: Sequence[Job], children: list[Child], stop: Event) -> bool:
    """Start a process for each job, until `stop` is set; returns False if it was set.

    If the server is still importing then, it is killed: it would start a process that nobody tells to stop, and for
    whose end Python 3.13 waits before its own.
    """

    def start() -> None:
        for job in jobs:
            if not stop.is_set():
                children.append(Child(job))
                if stop.is_set():  # `_stop_all` may have run before this process was in the list
                    children[-1].signal(signal.SIGTERM)

    starting = Thread(target=start, name="start", daemon=True)  # waits for the server without checking `stop`
    starting.start()
    server: Any = forkserver
    try:
        while starting.is_alive() and not stop.is_set():
            starting.join(0.05)
    finally:  # a second Ctrl-C may have interrupted this
        while starting.is_alive():
            if (pid := server._forkserver._forkserver_pid) is not None:
                os.kill(pid, signal.SIGKILL)
            starting.join(0.05)
    return not stop.is_set()


def _stop_all(children: list[Child]) -> None:
    for child in children:
        child.signal(signal.SIGTERM)
    try:
        _wait(children, GRACE_S)
    except KeyboardInterrupt:
        _wait(children, HURRY_S)
        raise
    finally:
        for child in children:
            child.signal(signal.SIGKILL)
            child.wait(GRACE_S)


def _wait(children: list[Child], timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    for child in children:
        child.wait(max(0.0, deadline - time.monotonic()))
