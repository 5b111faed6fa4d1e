"""`stream-nb topics create`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..options import with_settings


@click.group("topics")
def command() -> None:
    """Create or check the topics of a log."""


@command.command("create")
@with_settings
def create(settings: Settings) -> None:
    """Create missing topics, and check the settings of existing ones."""
    from ...records.number_text import many
    from ...records.schemas import EMAILS
    from ...records.setup import open_ready_log

    with open_ready_log(settings, click.echo) as log:
        mails = many(log.partitions(EMAILS), "partition")
        click.echo(f"{settings.log} has all topics, with valid settings; mails and labels have {mails}")
