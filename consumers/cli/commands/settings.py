"""`stream-nb settings`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..options import with_settings


@click.command("settings")
@with_settings
def command(settings: Settings) -> None:
    """Print the effective settings as TOML, with a comment for each and secrets masked.

    Later sources override earlier ones: defaults, the --config file, environment variables such as
    STREAM_NB_WORKER_POLL_RECORDS, --log.
    """
    from ..settings_text import render

    click.echo(render(settings))
