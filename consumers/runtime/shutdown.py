"""When to stop: Ctrl-C, SIGTERM, a closed terminal, or the death of the supervisor."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread
from types import FrameType

SLOW_S = 5.0
"""How long after Ctrl-C people who still wait are told how to end at once; the log may be away, which takes longest."""


def stop_on_signals() -> Event:
    """An event that SIGINT, SIGTERM and SIGHUP set; the second SIGINT raises KeyboardInterrupt as usual.

    A SIGHUP that the caller ignores, as nohup does, stays ignored.
    """
    stop = Event()
    signalled = _set_after(stop)

    def handle(signum: int, frame: object) -> None:
        signalled(signum)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, handle)
    _handle_end(handle)
    return stop


def interrupt_on_signals() -> None:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt as SIGINT does, so that work with an end of its own cleans up.

    A SIGHUP that the caller ignores, as nohup does, stays ignored.
    """
    signalled = _set_after(Event())

    def handle(signum: int, frame: FrameType | None) -> None:
        signalled(signum)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.default_int_handler(signum, frame)

    signal.signal(signal.SIGINT, handle)
    _handle_end(handle)


def _handle_end(handle: Callable[[int, FrameType | None], object]) -> None:
    """Handle SIGTERM, and SIGHUP unless it is ignored."""
    signal.signal(signal.SIGTERM, handle)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, handle)


def stop_with_parent() -> Event:
    """An event that is set by SIGTERM, or by the death of the supervisor that started this process.

    SIGINT and SIGHUP are ignored: Ctrl-C on a terminal, or its end, also reaches the supervisor, which then sends
    SIGTERM.
    """
    stop = Event()
    signalled = _set_after(stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda signum, frame: signalled(signum))
    if (supervisor := multiprocessing.parent_process()) is not None:

        def watch() -> None:
            supervisor.join()
            stop.set()

        Thread(target=watch, name="watch-supervisor", daemon=True).start()
    return stop


def _set_after(stop: Event) -> Callable[[int], None]:
    """A function for signal handlers, which has a thread set `stop`.

    A handler that called `set` itself would wait forever if it interrupted a `wait` that holds the event's lock;
    `SimpleQueue.put` can be interrupted by itself.
    """
    signals: SimpleQueue[int] = SimpleQueue()

    def wait() -> None:
        signum = signals.get()
        stop.set()
        if signum == signal.SIGINT:
            time.sleep(SLOW_S)
            print("still stopping; Ctrl-C again ends at once", file=sys.stderr)

    Thread(target=wait, name="signals", daemon=True).start()
    return signals.put
