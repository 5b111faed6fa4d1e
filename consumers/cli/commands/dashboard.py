"""`stream-nb dashboard`."""

from __future__ import annotations

from functools import partial

import click
import msgspec

from ...settings import Settings
from ..options import SourceType, with_settings


@click.command("dashboard")
@click.option("--host", help="Address to serve on; another one than loopback needs STREAM_NB_DASHBOARD_TOKEN.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to serve on; 0 takes any free one.")
@click.option("--source", type=SourceType(), help="Source of the labels that the page's buttons give.")
@with_settings
def command(settings: Settings, host: str | None, port: int | None, source: str | None) -> None:
    """Serve the page with live figures and label buttons, until Ctrl-C.

    The figures come from a monitor on the same log; start one with `stream-nb monitor`.
    """
    from ...dashboard import process
    from ...runtime.shutdown import stop_on_signals

    given = {"host": host, "port": port, "source": source}
    changes = {name: value for name, value in given.items() if value is not None}
    settings = msgspec.structs.replace(settings, dashboard=msgspec.structs.replace(settings.dashboard, **changes))
    process.run(settings, stop_on_signals(), partial(click.echo, err=True))
