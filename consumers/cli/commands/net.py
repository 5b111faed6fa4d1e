"""`stream-nb net FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from ...records.number_text import many
from ...settings import Settings
from ..numeric import count
from ..options import with_settings


@click.command("net")
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--words", type=count(1), default=6, show_default=True, help="Words to show per class.")
@with_settings
def command(settings: Settings, path: Path, words: int) -> None:
    """Draw the log's current model to FILE, as an SVG picture of the Bayes net with its parameters.

    Only its owner can read FILE, because it shows words of the mails.
    """
    from stream_nb.generative.bayes_net import bayes_net_svg

    from ...model.files import model_on_log
    from ...model.textbook import library_model
    from ...records.setup import open_existing_log
    from ...runtime import private_files

    with open_existing_log(settings) as log:
        model = model_on_log(log, settings, "draw")
    private_files.write(path, bayes_net_svg(library_model(model), words).encode())
    learned = f"{many(model.labels_learned, 'label')} learned"
    click.echo(f"{path}: {learned}, classes {', '.join(map(str, model.classes)) or 'none'}")
