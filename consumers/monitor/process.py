"""A monitor process, as `stream-nb monitor` and the demo's supervisor run it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from ..log.base import Log
from ..settings import Settings

PRELOAD = f"{__package__}.service"
"""The module to import before the process is forked (`supervise`)."""


def run(settings: Settings, stop: Event, notify: Callable[[str], None] = lambda text: None) -> None:
    """Watch the log and serve metrics and health until `stop` is set; `notify` gets a line for people at the start.

    Opens the log again if it becomes unavailable: whoever starts this process has already reached it. Raises UserError
    if the port is taken.
    """
    # Imported here because the supervisor imports this module and must stay small.
    from prometheus_client import CollectorRegistry

    from ..records.heartbeat import MONITOR, HeartbeatWriter
    from ..records.setup import open_ready_log
    from ..runtime.address_family import host_and_port
    from ..runtime.health import HealthServer, Pulse
    from ..runtime.log_lines import start_logging
    from ..runtime.process_slot import take_slot
    from .metrics import MonitorCollector
    from .service import Monitor, run_monitor

    start_logging("monitor")
    slot = take_slot(settings, settings.monitor.group)
    pulse, collector = Pulse(), MonitorCollector()
    registry = CollectorRegistry()
    registry.register(collector)
    host, port = settings.monitor.host, settings.monitor.port
    server = HealthServer(host, port, pulse, registry, "[monitor] host or port, or --port") if port else None
    metrics = f", http://{host_and_port(host, server.port)}/metrics" if server else ""
    notify(f"monitor: on {settings.log}{metrics}; Ctrl-C stops")

    def open_log() -> Log:
        collector.monitor = None  # while the log does not answer, the last figures would look like current ones
        return open_ready_log(settings, notify, create=False)

    def watch(monitor: Monitor, log: Log) -> Callable[[bool], None]:
        collector.monitor = monitor
        heartbeat = HeartbeatWriter(log, MONITOR, slot.member, monitor.progress)

        def beat(ready: bool) -> None:
            pulse.beat(ready)
            heartbeat.beat(stopped=stop.is_set())

        return beat

    def free_port() -> None:
        stop.wait()
        if server:
            server.close()

    # Not at the end, which a log that does not answer delays: if the supervisor was killed, nobody waits for the end
    # before another monitor needs the port.
    freeing = Thread(target=free_port, name="free-port", daemon=True)
    freeing.start()
    with slot.lock:
        run_monitor(open_log, settings, stop, slot.member, watch)
    freeing.join()
