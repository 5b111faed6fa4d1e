"""`stream-nb load FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from ..options import with_settings


@click.command("load")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@with_settings
def command(settings, path: Path) -> None:
    """Start a fresh log from the model in FILE, as `save`, the library's to_bytes or bulk training wrote it."""
    from ...model.files import load_model
    from ...records.setup import open_ready_log

    with open_ready_log(settings, notify=lambda text: click.echo(text, err=True)) as log:
        model = load_model(log, path)
    click.echo(f"{settings.log} starts with {model.labels_learned} labels learned, {model.features} words and pairs")
