"""`stream-nb backup FOLDER`."""

from __future__ import annotations

from pathlib import Path

import click

from ...settings import Settings
from ..options import with_settings


@click.command("backup")
@click.argument("folder", type=click.Path(path_type=Path))
@with_settings
def command(settings: Settings, folder: Path) -> None:
    """Copy an SQLite log, including all mails, into the new FOLDER while stages run.

    The copy is a log. To restore it, stop the stages and replace the damaged folder by FOLDER, or start them with
    --log sqlite:FOLDER. Everything written after the copy is lost.
    """
    from ...errors import UserError
    from ...log.sqlite.log import SqliteLog
    from ...records.setup import open_existing_log

    if str(folder).startswith(("sqlite:", "kafka:")):
        raise UserError(f"backup to {folder}: this is the address of a log; name a new folder")
    with open_existing_log(settings) as log:
        if not isinstance(log, SqliteLog):
            raise UserError(
                f"backup of {settings.log}: only SQLite logs can be copied; on Kafka the brokers keep "
                "[kafka] replication copies, and `stream-nb save` saves the model"
            )
        log.copy(folder)
    click.echo(f"copied {settings.log} to {folder}; it contains mails: keep it private")
