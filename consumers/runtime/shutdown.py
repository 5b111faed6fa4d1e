"""When to stop: Ctrl-C, SIGTERM, or the death of the supervisor."""

from __future__ import annotations

import multiprocessing
import signal
from multiprocessing.process import BaseProcess
from threading import Event, Thread


def stop_on_signals() -> Event:
    """An event that SIGINT and SIGTERM set; the second SIGINT raises KeyboardInterrupt as usual."""
    stop = Event()

    def handle(signum: int, frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, handle)
    signal.signal(signal.SIGTERM, handle)
    return stop


def stop_with_parent() -> Event:
    """An event that is set by SIGTERM, or by the death of the supervisor that started this process.

    SIGINT is ignored: Ctrl-C on a terminal also reaches the supervisor, which then sends SIGTERM.
    """
    stop = Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda signum, frame: stop.set())
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        Thread(target=_stop_after, args=(supervisor, stop), name="watch-supervisor", daemon=True).start()
    return stop


def _stop_after(process: BaseProcess, stop: Event) -> None:
    process.join()
    stop.set()
