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
def command(settings: Settings, port: int | None) -> None:
    """Measure the model's quality until Ctrl-C; started again, it goes on where it was.

    It reads predictions and labels, and writes its view to the log, where dashboards read it.
    """
    from ...monitor import process
    from ...runtime.shutdown import stop_on_signals

    if port is not None:
        settings = msgspec.structs.replace(settings, monitor=msgspec.structs.replace(settings.monitor, port=port))
    process.run(settings, stop_on_signals(), partial(click.echo, err=True))
