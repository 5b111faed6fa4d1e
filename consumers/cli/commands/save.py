"""`stream-nb save FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from ...settings import Settings
from ..options import OutFileType, with_settings


@click.command("save")
@click.argument("path", metavar="FILE", type=OutFileType())
@with_settings
def command(settings: Settings, path: Path) -> None:
    """Write the log's current model to FILE, for `load` or the library's MailNB.from_bytes.

    The file contains the hash key and words of the mails: keep it as private as the mails.
    """
    from ...model.files import save_model, summary
    from ...records.setup import open_existing_log

    with open_existing_log(settings) as log:
        model = save_model(log, settings, path)
    click.echo(f"{path}: {summary(model)}")
