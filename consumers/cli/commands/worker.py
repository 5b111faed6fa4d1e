"""`stream-nb worker`."""

from __future__ import annotations

import sys
from functools import partial

import click

from ...settings import Settings
from ..options import child_option, with_settings


@click.command("worker")
@click.option(
    "--processes", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to run; on SQLite one."
)
@child_option
@with_settings
def command(settings: Settings, processes: int, child: bool) -> int:
    """Score mails and learn labels until Ctrl-C; start it again and it goes on where it was.

    A process that fails is started again from the log. On Kafka, workers share the partitions, and all score with
    the sum of what each has learned. SQLite has one partition and so one worker.
    """
    if child:
        return _work(settings)
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ...runtime.supervisor import supervise
    from ..main import main

    stop = stop_on_signals()
    open_ready_log(settings, say=lambda text: click.echo(text, err=True)).close()
    click.echo(f"worker: {processes} process(es) on {settings.log}; Ctrl-C stops", err=True)
    return supervise([partial(main, [*sys.argv[1:], "--child"])] * processes, stop)


def _work(settings) -> int:
    import logging

    from ...errors import STATUS_RESTART, LogUnavailable, Restart
    from ...records.setup import open_ready_log
    from ...runtime.process_slot import take_slot
    from ...runtime.shutdown import stop_with_parent
    from ...worker.worker import Worker

    stop = stop_with_parent()
    slot = take_slot(settings, settings.worker.group)
    logging.basicConfig(level=logging.WARNING, format=f"%(asctime)s {slot.member} %(message)s")
    logging.getLogger("kafka").setLevel(logging.ERROR)  # what it warns of it also retries
    try:
        with open_ready_log(settings, say=lambda text: None) as log:
            worker = Worker(log, settings, slot.member)
            worker.run(stop, _health(settings, slot.number, worker))
    except (Restart, LogUnavailable) as doubt:  # the supervisor has reached the log once, so it will come back
        click.echo(f"{slot.member}: starting again from the log: {doubt}", err=True)
        return STATUS_RESTART
    return 0


def _health(settings, slot: int, worker):
    """Serve health and metrics on the configured port plus the slot number, where a port is configured."""
    if not settings.worker.health_port:
        return lambda ready: None
    from prometheus_client import CollectorRegistry

    from ...runtime.health import HealthServer, Pulse
    from ...worker.metrics import WorkerCollector

    registry = CollectorRegistry()
    registry.register(WorkerCollector(worker))
    pulse = Pulse(limit_s=60.0)
    where = settings.worker
    setting = f"[worker] health_port ({where.health_port}, and the next ones for further processes)"
    HealthServer(where.health_host, where.health_port + slot, pulse, registry, setting)
    return pulse.beat
