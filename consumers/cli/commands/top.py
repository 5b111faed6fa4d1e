"""`stream-nb top`."""

from __future__ import annotations

import click

from ..options import with_settings


@click.command("top")
@with_settings
def command(settings) -> None:
    """The dashboard's overview in a terminal, until Ctrl-C; without a terminal it prints once."""
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ..terminal import run_top

    stop = stop_on_signals()
    with open_ready_log(settings, notify=lambda text: click.echo(text, err=True)) as log:
        run_top(log, stop)
