"""A monitor process: what `stream-nb monitor` is, and what the demo runs under a supervisor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event

from ..log.base import Log
from ..settings import Settings

PRELOAD = f"{__package__}.service"
"""The module to import before the process is forked (`supervise`)."""

PULSE_S = 60.0
"""A monitor whose loop has not come round for so long is not alive."""


def run(settings: Settings, stop: Event, notify: Callable[[str], None] = lambda text: None) -> None:
    """Watch the log and serve metrics and health until `stop` is set; `notify` gets a line for people at the start.

    A log that has gone away is opened again: whoever starts this process has reached it once. Raises UserError when the
    port is taken.
    """
    # Imported here: the supervisor refers to this function, and must stay small.
    from prometheus_client import CollectorRegistry

    from ..records.heartbeat import MONITOR, HeartbeatWriter
    from ..records.setup import open_ready_log
    from ..runtime.health import HealthServer, Pulse
    from ..runtime.log_lines import start_logging
    from ..runtime.process_slot import take_slot
    from .metrics import MonitorCollector
    from .service import Monitor, run_monitor

    start_logging("monitor")
    slot = take_slot(settings, settings.monitor.group)
    pulse, collector = Pulse(PULSE_S), MonitorCollector()
    registry = CollectorRegistry()
    registry.register(collector)
    host, port = settings.monitor.host, settings.monitor.port
    server = HealthServer(host, port, pulse, registry, "[monitor] port, or --port") if port else None
    metrics = f", http://{host}:{server.port}/metrics" if server else ""
    notify(f"monitor: on {settings.log}{metrics}; Ctrl-C stops")

    def watch(monitor: Monitor, log: Log) -> Callable[[bool], None]:
        collector.watch(monitor)
        heartbeat = HeartbeatWriter(log, MONITOR, slot.member, monitor.progress)

        def beat(ready: bool) -> None:
            pulse.beat(ready)
            heartbeat.beat(stopped=stop.is_set())

        return beat

    with slot.lock:
        run_monitor(partial(open_ready_log, settings, notify, create=False), settings, stop, slot.member, watch)
    if server:
        server.close()
