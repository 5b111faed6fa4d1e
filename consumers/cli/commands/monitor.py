"""`stream-nb monitor`."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from ..options import with_settings


@click.command("monitor")
@click.option("--port", type=click.IntRange(0, 65535), help="Port on 127.0.0.1 for /metrics and health; 0 opens none.")
@with_settings
def command(settings, port: int | None) -> None:
    """Watch how good the model is, until Ctrl-C; start it again and no figure is lost.

    It reads predictions and labels, and writes its view on the log, where dashboards read it.
    """
    from ...monitor import process
    from ...runtime.shutdown import stop_on_signals

    if port is not None:
        settings = msgspec.structs.replace(settings, monitor=msgspec.structs.replace(settings.monitor, port=port))
    process.run(settings, stop_on_signals(), partial(click.echo, err=True))
