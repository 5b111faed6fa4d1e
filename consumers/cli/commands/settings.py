"""`stream-nb settings`."""

from __future__ import annotations

import click

from ..options import with_settings


@click.command("settings")
@with_settings
def command(settings) -> None:
    """Print the settings in force as TOML; secrets are masked."""
    from ...settings import render

    click.echo(render(settings))
