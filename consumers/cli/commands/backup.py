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
    """Copy an SQLite log, all mails included, into the new FOLDER while stages run.

    The copy is a log: to restore it, stop the stages and put FOLDER in place of the damaged one, or start them with
    --log sqlite:FOLDER. What came after the copy is then not known.
    """
    from ...errors import UserError
    from ...log.sqlite.log import SqliteLog
    from ...records.setup import open_existing_log

    if str(folder).startswith(("sqlite:", "kafka:")):
        raise UserError(f"backup to {folder}: this is the address of a log; name a new folder alone")
    with open_existing_log(settings) as log:
        if not isinstance(log, SqliteLog):
            raise UserError(
                f"backup of {settings.log}: only SQLite logs are files to copy; on Kafka the brokers keep "
                "[kafka] replication copies, and `stream-nb save` keeps the model"
            )
        log.copy(folder)
    click.echo(f"copied {settings.log} to {folder}; it holds mails: keep it private")
