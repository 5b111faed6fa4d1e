"""A monitor process, as `stream-nb monitor` and the demo's supervisor run it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from threading import Event, Thread

from ..errors import PASSING
from ..log.base import Log
from ..settings import Settings

logger = logging.getLogger(__name__)

PRELOAD = f"{__package__}.service"
"""The module to import before the process is forked (`supervise`)."""
AGAIN_S = 1.0
"""Pause until the log is opened again."""


def run(settings: Settings, stop: Event, notify: Callable[[str], None] = lambda text: None) -> None:
    """Watch the log and serve metrics and health until `stop` is set; `notify` gets a line for people at the start.

    If the log becomes unavailable, or it is uncertain what was committed, the state is dropped and a new Monitor starts
    from the log: whoever starts this process has already reached it. Raises UserError if the port is taken.
    """
    # Imported here because the supervisor imports this module and must stay small.
    from prometheus_client import CollectorRegistry

    from ..records.heartbeat import MONITOR, HeartbeatWriter
    from ..records.setup import open_ready_log
    from ..runtime.addresses import host_and_port
    from ..runtime.health import HealthServer, Pulse
    from ..runtime.log_lines import start_logging
    from ..runtime.process_slot import take_slot
    from .metrics import MonitorCollector
    from .service import Monitor

    start_logging("monitor")
    slot = take_slot(settings, settings.monitor.group)
    pulse, collector = Pulse(), MonitorCollector()
    registry = CollectorRegistry()
    registry.register(collector)
    host, port = settings.monitor.host, settings.monitor.port
    server = HealthServer(host, port, pulse, registry, "[monitor] host or port, or --port") if port else None
    metrics = f", http://{host_and_port(host, server.port)}/metrics" if server else ""
    notify(f"monitor: on {settings.log}{metrics}; Ctrl-C stops")

    failed = False

    def watch(log: Log) -> None:
        monitor = collector.monitor = Monitor(log, settings, slot.member)
        heartbeat = HeartbeatWriter(log, MONITOR, slot.member, monitor.progress)

        def beat(ready: bool) -> None:
            nonlocal failed
            pulse.beat(ready)
            heartbeat.beat(stopped=stop.is_set())
            if failed and ready:
                logger.warning("works again")
                failed = False

        with closing(monitor.consumer):  # leaves the group, so that the next Monitor can join
            monitor.run(stop, beat)

    def free_port() -> None:
        stop.wait()
        if server:
            server.close()

    # Not at the end, which a log that does not answer delays: if the supervisor was killed, nobody waits for the end
    # before another monitor needs the port.
    freeing = Thread(target=free_port, name="free-port", daemon=True)
    freeing.start()
    with slot.lock:
        while not stop.is_set():
            try:
                with open_ready_log(settings, notify, create=False) as log:
                    watch(log)
            except PASSING as doubt:
                failed = True
                collector.monitor = None  # while the log does not answer, the last figures would look like current ones
                kind = f"starting again: {type(doubt).__name__}"
                logger.warning("starting again from the log: %s", doubt, extra={"kind": kind})
                stop.wait(AGAIN_S)
    freeing.join()
