"""`stream-nb monitor`."""

from __future__ import annotations

import click
import msgspec

from consumers.commands.options import with_settings

PULSE_S = 60.0


@click.command("monitor")
@click.option("--port", type=click.IntRange(0, 65535), help="Port on 127.0.0.1 for /metrics and health; 0 opens none.")
@with_settings
def command(settings, port: int | None) -> None:
    """Watch how good the model is, until Ctrl-C; start it again and no figure is lost.

    It reads predictions and labels, and writes its view on the log, where dashboards read it.
    """
    from prometheus_client import CollectorRegistry

    from consumers.health import HealthServer, Pulse
    from consumers.lines import start_logging
    from consumers.monitor.exporter import MonitorCollector
    from consumers.monitor.service import run_monitor
    from consumers.opening import open_ready_log
    from consumers.slots import take_slot
    from consumers.stopping import stop_on_signals

    start_logging("monitor")
    if port is not None:
        settings = msgspec.structs.replace(settings, monitor=msgspec.structs.replace(settings.monitor, port=port))
    stop = stop_on_signals()
    slot = take_slot(settings, settings.monitor.group)
    pulse, collector = Pulse(PULSE_S), MonitorCollector()
    registry = CollectorRegistry()
    registry.register(collector)
    where = settings.monitor
    setting = "[monitor] port, or --port"
    server = HealthServer(where.host, where.port, pulse, registry, setting) if where.port else None
    shown = f", http://{settings.monitor.host}:{server.port}/metrics" if server else ""
    click.echo(f"monitor: on {settings.log}{shown}; Ctrl-C stops", err=True)

    def open_log():
        return open_ready_log(settings, say=lambda text: click.echo(text, err=True))

    run_monitor(open_log, settings, stop, slot.member, collector.watch, pulse.beat)
    if server:
        server.close()
