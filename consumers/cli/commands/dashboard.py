"""`stream-nb dashboard`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..messages import say
from ..options import SourceType, with_given, with_settings


@click.command("dashboard")
@click.option("--host", help="Address to serve on; any other than loopback needs STREAM_NB_DASHBOARD_TOKEN.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to serve on; 0 uses any free one.")
@click.option("--source", type=SourceType(), help="Source of the labels made with the page's buttons.")
@with_settings
def command(settings: Settings, host: str | None, port: int | None, source: str | None) -> None:
    """Serve the page with live figures and label buttons until Ctrl-C.

    The figures come from a monitor on the same log; start one with `stream-nb monitor`.
    """
    from ...dashboard import process
    from ...runtime.shutdown import stop_on_signals

    process.run(with_given(settings, "dashboard", host=host, port=port, source=source), stop_on_signals(), say)
