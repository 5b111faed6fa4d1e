"""`stream-nb settings`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..options import with_settings


@click.command("settings")
@with_settings
def command(settings: Settings) -> None:
    """Print the settings in force as TOML, with a comment for each, secrets masked.

    Defaults come first, then the file of --config, then variables such as STREAM_NB_WORKER_POLL_RECORDS, then --log.
    """
    from ..settings_text import render

    click.echo(render(settings))
