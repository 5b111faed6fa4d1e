"""Keep processes running: one that ends with an error is started again.

A worker never repairs itself: it ends, and its successor reads from the log what was committed. The supervisor keeps no
state but the processes. They are forked from a server (multiprocessing's "forkserver") that has imported and compiled
everything once and has opened nothing, so a successor is at work within a second. When the server dies, its processes
go on, and the next start brings up a new server.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from threading import Event, Thread

import msgspec

from ..errors import STATUS_RESTART, STATUS_USER_ERROR, ConsumerError, UserError
from .fork_server import interrupts_held_back
from .log_lines import OncePerMinute, kind_of
from .shutdown import stop_with_parent

logger = logging.getLogger(__name__)

STATUS_LOST = 255
"""What multiprocessing, too, gives for a process whose fork server is dead, so that nobody knows how it ended."""
CLEAR_LINE = "\r\x1b[K"
"""On a terminal: takes the place of a progress bar, which is drawn again below."""
GRACE_S = 9.0
"""Processes that have not ended so long after SIGTERM are killed."""
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
HEALTHY_S = 3.0
"""After a run of this length the pause before the next start is short again."""

PRELOAD_FIRST = f"{__package__}.fork_server_start"

_decode = msgspec.json.Decoder(tuple[str, str]).decode

_forks = multiprocessing.get_context("forkserver")

Job = Callable[[Event], object]
"""What a process runs: a function that can be pickled, called with the event that is set when it is to end."""


class Child:
    """One supervised process.

    It holds one end of a pipe as long as it runs: the end of the pipe is noticed even when the fork server, which would
    report the exit status, is dead. Its log lines come through the pipe, so that a process that is started over and
    over does not repeat itself.

    Args:
        job: What the process runs, anew with each start.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._once_per_minute = OncePerMinute()
        self._pause_s = FIRST_PAUSE_S
        self.start()

    def start(self) -> None:
        """Start the process, or start it again; if the fork server dies meanwhile, it counts as ended at once."""
        self.started = time.monotonic()
        self._ended = False
        self._pipe, held = _forks.Pipe(duplex=False)
        self._process = _forks.Process(target=_run_child, args=(self._job, held))
        with held, suppress(EOFError, OSError):
            resource_tracker.ensure_running()  # the server's start would do it, and let SIGINT through
            with interrupts_held_back():
                forkserver.ensure_running()
            self._process.start()

    @property
    def pid(self) -> int | None:
        """The process's id; None when it could not be started."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status; None while the process runs."""
        self._read_pipe(0.0)
        if not self._ended:
            return None
        return self._process.exitcode if self.pid is not None else STATUS_LOST

    def wait(self, timeout_s: float) -> None:
        """Wait for the end of the process, which `status` then tells.

        Args:
            timeout_s: The longest wait, in seconds; 0 or less does not wait.
        """
        deadline = time.monotonic() + timeout_s
        while not self._ended and (left := deadline - time.monotonic()) > 0:
            self._read_pipe(left)
        if self._ended and self.pid is not None:
            self._process.join(1.0)

    def signal(self, number: int) -> None:
        """Send the process a signal, if it still runs.

        Args:
            number: As in the module `signal`.
        """
        self._read_pipe(0.0)
        if self.pid is not None and not self._ended:
            os.kill(self.pid, number)

    def should_log(self, status: int) -> bool:
        """Whether the process itself has not logged why it ended, and this was not logged within the last minute.

        Args:
            status: How it ended; -n where signal n ended it.
        """
        return status != STATUS_RESTART and self._once_per_minute.due(f"status {status}")

    def _read_pipe(self, timeout_s: float) -> None:
        """Write the process's log lines, and notice its end; waits for one of either."""
        while not self._ended and self._pipe.poll(timeout_s):
            try:
                kind, line = _decode(self._pipe.recv_bytes())
            except (EOFError, OSError):
                self._ended = True
                self._pipe.close()
            else:
                if self._once_per_minute.due(kind):
                    print(f"{CLEAR_LINE}{line}" if sys.stderr.isatty() else line, file=sys.stderr, flush=True)
            timeout_s = 0.0

    def pause_s(self) -> float:
        """Seconds to wait before the next start: longer each time, short again after a healthy run."""
        if time.monotonic() - self.started > HEALTHY_S:
            self._pause_s = FIRST_PAUSE_S
        pause, self._pause_s = self._pause_s, min(2 * self._pause_s, LONGEST_PAUSE_S)
        return pause


def supervise(
    jobs: Sequence[Job],
    stop: Event,
    preload: str | None = None,
    ended: Callable[[int], None] = lambda status: None,
    started: Callable[[], None] = lambda: None,
) -> int:
    """Run one process for each job until `stop` is set; returns the exit status of the whole.

    A process whose job returned has stopped as it should; status 2 (UserError) stops all; after any other there is a
    new start. The status of the whole is 2 where one ended so, else 0.

    Args:
        jobs: Each is called with an event of its own, set when it is to end, or when the supervisor has died.
        stop: Ends all when it is set; it is set here when status 2 stops all.
        preload: Full name of a module that the fork server imports first; None for none. Where that lasts, nobody waits
            for it once `stop` is set: the server goes on alone, and ends.
        ended: Called with the status of each process that is to be started again.
        started: Called once all run, after what they need was imported.
    """
    _forks.set_forkserver_preload([PRELOAD_FIRST] if preload is None else [PRELOAD_FIRST, preload])
    children: list[Child] = []
    status = 0
    try:
        if _start(jobs, children, stop):
            started()
        while children and not stop.wait(0.05):
            for child in list(children):
                code = child.status
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
                if child.should_log(code):
                    logger.warning("process %s ended with status %d; new start in %.2f s", child.pid, code, pause)
                if not stop.wait(pause):
                    child.start()
    finally:
        _stop_all(children)
    return status


def _start(jobs: Sequence[Job], children: list[Child], stop: Event) -> bool:
    """Add a process for each job, until `stop` is set; False where it was."""

    def start() -> None:
        for job in jobs:
            if not stop.is_set():
                children.append(Child(job))
                if stop.is_set():  # who has stopped the others may not have known of this one
                    children[-1].signal(signal.SIGTERM)

    starting = Thread(target=start, name="start", daemon=True)  # it waits for the server without looking at `stop`
    starting.start()
    while starting.is_alive() and not stop.is_set():
        starting.join(0.05)
    return not stop.is_set()


def _run_child(job: Job, held: Connection) -> None:
    """Run the job, and end with the status that its error asks for.

    `held` takes its log lines, and closes with the process.
    """
    logging.getLogger().addHandler(_LinePipe(held))
    try:
        job(stop_with_parent())
    except UserError as error:
        print(f"stream-nb: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
    except ConsumerError as error:
        logger.warning("%s", error, extra={"kind": type(error).__name__})
        sys.exit(error.exit_status)


class _LinePipe(logging.Handler):
    """Sends lines and their kinds to the supervisor."""

    def __init__(self, held: Connection) -> None:
        super().__init__()
        self._held = held

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line; when the supervisor has gone, nobody reads it."""
        with suppress(OSError):
            self._held.send_bytes(msgspec.json.encode((kind_of(record), self.format(record))))


def _stop_all(children: list[Child]) -> None:
    for child in children:
        child.signal(signal.SIGTERM)
    deadline = time.monotonic() + GRACE_S
    for child in children:
        child.wait(max(0.0, deadline - time.monotonic()))
        child.signal(signal.SIGKILL)
        child.wait(GRACE_S)
