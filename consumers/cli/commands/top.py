"""`stream-nb top`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..options import with_settings


@click.command("top")
@with_settings
def command(settings: Settings) -> None:
    """Show the dashboard's overview in a terminal until Ctrl-C; print it once if the output is no terminal.

    The figures come from a monitor on the same log; start one with `stream-nb monitor`.
    """
    from ...monitor.stages import needed_stages
    from ...records.setup import open_existing_log
    from ...runtime.shutdown import stop_on_signals
    from ..terminal import run_top

    stop = stop_on_signals()
    with open_existing_log(settings) as log:
        run_top(log, stop, needed=needed_stages(settings.learner))
