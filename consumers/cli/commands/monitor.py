"""`stream-nb monitor`."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from ...settings import Settings
from ..options import with_settings


@click.command("monitor")
@click.option("--port", type=click.IntRange(0, 65535), help="Port for /metrics, /healthz and /readyz; 0 opens none.")
@with_settings
def command(settings: Settings, port: int | None) -> int:
    """Measure the model's quality until Ctrl-C; started again, it goes on where it was.

    It reads predictions and labels, and writes its view to the log, where dashboards read it. A process that fails is
    started again from the log.
    """
    from ...monitor import process
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ...runtime.supervisor import supervise

    if port is not None:
        settings = msgspec.structs.replace(settings, monitor=msgspec.structs.replace(settings.monitor, port=port))
    notify = partial(click.echo, err=True)
    stop = stop_on_signals()
    open_ready_log(settings, notify).close()
    return supervise([partial(process.run, settings, notify=notify)], stop, process.PRELOAD)
