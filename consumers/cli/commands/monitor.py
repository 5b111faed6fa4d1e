"""`stream-nb monitor`."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from ...settings import Settings
from ..options import child_option, with_settings

PULSE_S = 60.0


@click.command("monitor")
@click.option("--port", type=click.IntRange(0, 65535), help="Port for /metrics, /healthz and /readyz; 0 opens none.")
@child_option
@with_settings
def command(settings: Settings, port: int | None, child: bool) -> None:
    """Measure the model's quality until Ctrl-C; started again, it goes on where it was.

    It reads predictions and labels, and writes its view to the log, where dashboards read it.
    """
    import logging

    from prometheus_client import CollectorRegistry

    from ...monitor.metrics import MonitorCollector
    from ...monitor.service import run_monitor
    from ...records.setup import open_ready_log
    from ...runtime.health import HealthServer, Pulse
    from ...runtime.process_slot import take_slot
    from ...runtime.shutdown import stop_on_signals, stop_with_parent

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s monitor: %(message)s")
    if port is not None:
        settings = msgspec.structs.replace(settings, monitor=msgspec.structs.replace(settings.monitor, port=port))
    stop = stop_with_parent() if child else stop_on_signals()
    say = (lambda text: None) if child else partial(click.echo, err=True)
    slot = take_slot(settings, settings.monitor.group)
    pulse, collector = Pulse(PULSE_S), MonitorCollector()
    registry = CollectorRegistry()
    registry.register(collector)
    where = settings.monitor
    setting = "[monitor] port, or --port"
    server = HealthServer(where.host, where.port, pulse, registry, setting) if where.port else None
    shown = f", http://{settings.monitor.host}:{server.port}/metrics" if server else ""
    say(f"monitor: on {settings.log}{shown}; Ctrl-C stops")

    def open_log():
        return open_ready_log(settings, say)

    run_monitor(open_log, settings, stop, slot.member, collector.watch, pulse.beat)
    if server:
        server.close()
