"""A supervised process, forked from a server that has imported and compiled everything once."""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from threading import Event

import msgspec

from ..errors import STATUS_RESTART, ConsumerError, UserError, compiling_or_error
from .fork_server import interrupts_held_back
from .log_lines import CLEAR_LINE, OncePerMinute, kind_of
from .shutdown import stop_with_parent

logger = logging.getLogger(__name__)

STATUS_LOST = 255
"""Status of a process whose real status is unknown because its fork server is dead; multiprocessing uses the same."""
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
HEALTHY_S = 3.0
"""A run of this length resets the pause before the next start."""
RECOVERED_S = 30.0
"""A run of this length after a restart is logged: without brokers, no run is so long."""

FORKS = multiprocessing.get_context("forkserver")

Job = Callable[[Event], object]
"""The work of a process: a picklable function, called with an event that is set when the process should end."""

_decode = msgspec.json.Decoder(tuple[str, str]).decode


class Child:
    """One supervised process, whose work is `job`, run again by each start.

    It holds one end of a pipe as long as it runs, so its end is noticed even if the fork server, which would report the
    exit status, is dead. The pipe also carries its log lines, so that a process that is restarted over and over does
    not repeat them.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._once_per_minute = OncePerMinute()
        self._pause_s = FIRST_PAUSE_S
        self._restarted = False
        self.start()

    def start(self) -> None:
        """Start or restart the process; if that fails, the process counts as ended at once, and `failure` says why."""
        self.started = time.monotonic()
        self.failure = ""
        self._ended = False
        self._pipe, held = FORKS.Pipe(duplex=False)
        # As a daemon, it is told to stop at the end of Python, too: a second Ctrl-C may have interrupted `_stop_all`.
        self._process = FORKS.Process(target=_run_child, args=(self._job, held), daemon=True)
        with held:
            try:
                resource_tracker.ensure_running()  # otherwise the server starts it, and unblocks SIGINT
                with interrupts_held_back():
                    forkserver.ensure_running()
                self._process.start()
            except EOFError:
                self.failure = "no process started"
            except OSError as error:  # as for a TMPDIR that is full, or too long for the name of a socket
                self.failure = f"no process started: {error}; is TMPDIR a short path to a folder with room?"

    @property
    def pid(self) -> int | None:
        """The process id; None if the process could not be started."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status; None while the process runs."""
        self._read_pipe(0.0)
        if not self._ended:
            return None
        return self._process.exitcode if self.pid is not None else STATUS_LOST

    def wait(self, timeout_s: float) -> None:
        """Wait for the end of the process for `timeout_s` seconds, or not at all for 0 or less; `status` is set
        afterwards."""
        deadline = time.monotonic() + timeout_s
        while not self._ended and (left := deadline - time.monotonic()) > 0:
            self._read_pipe(left)
        if self._ended and self.pid is not None:
            self._process.join(1.0)

    def signal(self, number: int) -> None:
        """Send the process the signal with this `number` (see the module `signal`), if it is still running."""
        self._read_pipe(0.0)
        if self.pid is not None and not self._ended:
            os.kill(self.pid, number)

    def should_log(self, status: int) -> bool:
        """Whether to log this end with exit `status` (-n: ended by signal n): the process did not log it itself, and it
        was not logged within the last minute."""
        return status != STATUS_RESTART and self._once_per_minute.due(f"status {status}")

    def _read_pipe(self, timeout_s: float) -> None:
        """Print the process's log lines, and notice its end; waits for the first of either."""
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
        self._restarted = True
        return pause

    def recovered(self) -> bool:
        """Whether a run after a restart has just become `RECOVERED_S` long: true once."""
        recovered = self._restarted and time.monotonic() - self.started > RECOVERED_S
        self._restarted = self._restarted and not recovered
        return recovered


def _run_child(job: Job, held: Connection) -> None:
    """Run the job, and exit with the status of its error.

    Log lines are written to `held`, which is closed by the end of the process.
    """
    logging.getLogger().addHandler(_LinePipe(held))
    try:
        with compiling_or_error():
            job(stop_with_parent())
    except UserError as error:
        print(f"stream-nb: {error}", file=sys.stderr)
        sys.exit(error.exit_status)
    except ConsumerError as error:
        # `stage_process` makes one error of several kinds, of which a later one may say more than the first.
        logger.warning("%s", error, extra={"kind": type(error.__cause__ or error).__name__})
        sys.exit(error.exit_status)


class _LinePipe(logging.Handler):
    """Sends log lines and their kinds to the supervisor."""

    def __init__(self, held: Connection) -> None:
        super().__init__()
        self._held = held

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line; it is lost if the supervisor has died."""
        with suppress(OSError):
            self._held.send_bytes(msgspec.json.encode((kind_of(record), self.format(record))))
