"""`stream-nb topics create`."""

from __future__ import annotations

import click

from ..options import with_settings


@click.group("topics")
def command() -> None:
    """The log's topics."""


@command.command("create")
@with_settings
def create(settings) -> None:
    """Create the topics that are missing and check the settings of the others."""
    from ...records.setup import open_ready_log

    with open_ready_log(settings, notify=click.echo):
        click.echo("topics: all there, with the right settings")
