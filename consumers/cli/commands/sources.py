"""`stream-nb sources`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..messages import note
from ..options import with_settings


@click.command("sources")
@with_settings
def command(settings: Settings) -> None:
    """List the sources of labels, with the number of labels that count, how many the model doubts, and the flip rate.

    The flip rate is the estimated share of a source's labels that are wrong, in percent.
    """
    from ...model.replica import Replica
    from ...model.words import reliabilities
    from ...records.sanitize import show_safely
    from ...records.setup import open_existing_log
    from ...records.sources import SHOWN_SOURCE_CHARS

    with open_existing_log(settings) as log:
        model = Replica.load(log, settings).model
    if settings.learner.model != "mail":
        note(f"the {settings.learner.model} model learns nothing about the sources of labels; only the mail model does")
    click.echo(f"{'labels':>8}{'doubted':>10}{'flip rate':>11}  source")
    for name, known in reliabilities(model).items() if model is not None else ():
        shown = show_safely(name, SHOWN_SOURCE_CHARS)
        click.echo(f"{known.labels:>8}{known.doubted:>10.1f}{100 * known.flip_rate:>9.1f} %  {shown}")
