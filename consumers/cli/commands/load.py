"""`stream-nb load FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from ...ingest.plural import many
from ...settings import Settings
from ..messages import say
from ..options import with_settings


@click.command("load")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@with_settings
def command(settings: Settings, path: Path) -> None:
    """Start a new log with the model in FILE, written by `save`, by the library's to_bytes or by bulk training."""
    from ...model.files import put_model, read_model
    from ...model.words import known_features, starter_of
    from ...records.setup import open_ready_log

    model = read_model(path, settings.learner)
    with open_ready_log(settings, say) as log:
        put_model(log, model)
    starter = starter_of(model)
    added = f", and a starter of {many(starter.features + starter.named, 'feature')}" if starter is not None else ""
    own = f"{many(model.labels_learned, 'label')} learned, {many(known_features(model), 'feature')}"
    click.echo(f"{settings.log} starts with {own}{added}")
