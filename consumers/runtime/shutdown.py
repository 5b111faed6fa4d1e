"""When to stop: Ctrl-C, SIGTERM, a closed terminal, or the death of the supervisor."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from types import FrameType


def stop_on_signals() -> Event:
    """An event that SIGINT, SIGTERM and SIGHUP set; the second SIGINT raises KeyboardInterrupt as usual.

    A SIGHUP that the caller ignores, as nohup does, stays ignored.
    """
    stop = Event()
    signalled = _set_after(stop)

    def handle(signum: int, frame: object) -> None:
        signalled()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, handle)
    _handle_end(handle)
    return stop


def interrupt_on_signals() -> None:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt as SIGINT does, so that work with an end of its own cleans up.

    A SIGHUP that the caller ignores, as nohup does, stays ignored.
    """
    _handle_end(signal.default_int_handler)


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
    signal.signal(signal.SIGTERM, lambda signum, frame: signalled())
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        _in_thread("watch-supervisor", supervisor.join, stop)
    return stop


def _set_after(stop: Event) -> Callable[[], None]:
    """A function for signal handlers, which has a thread set `stop`.

    A handler that called `set` itself would wait forever if it interrupted a `wait` that holds the event's lock;
    `SimpleQueue.put` can be interrupted by itself.
    """
    signals: SimpleQueue[None] = SimpleQueue()
    _in_thread("signals", signals.get, stop)
    return partial(signals.put, None)


def _in_thread(name: str, wait: Callable[[], object], stop: Event) -> None:
    """Set `stop` when `wait` returns."""

    def run() -> None:
        wait()
        stop.set()

    Thread(target=run, name=name, daemon=True).start()
