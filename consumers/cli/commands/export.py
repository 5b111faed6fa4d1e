"""`stream-nb export FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from ..options import note, with_settings


@click.command("export")
@click.argument("out", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--mails", metavar="PATH", help="Train on these labelled mails; default: the log's model.")
@click.option(
    "--model",
    type=click.Choice(["multinomial", "boolean", "bernoulli"]),
    default="multinomial",
    show_default=True,
    help="With --mails: which model.",
)
@click.option("--smoothing", type=click.FloatRange(min=0, min_open=True), help="Lambda; default from the settings.")
@click.option("--positive", metavar="CLASS", help="The class whose log-odds w and b give; default from the settings.")
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N", help="Instead: the N most probable words of each class."
)
@with_settings
def command(settings, out: Path, mails, model: str, smoothing, positive, top: int | None) -> None:
    """Write what the model knows of words to FILE as CSV: log-odds = b + the sum of w times x.

    One row for b (the bias), then one a word: its weight w, and its probability in each class. x is how often the word
    occurs (multinomial) or 1 where it does. With --top the most probable words of each class.
    """
    import msgspec

    from ...records.setup import open_existing_log
    from ...studies import corpus, export

    changes = {key: value for key, value in (("smoothing", smoothing), ("positive", positive)) if value is not None}
    learner = msgspec.structs.replace(settings.learner, **changes)
    if mails is None:
        with open_existing_log(settings) as log:
            table = export.of_log(log, settings, learner, top)
    else:
        found, about = corpus.load(mails, notify=note)
        click.echo(about)
        table = export.of_mails(found, model, learner, top)
    export.write(out, table)
    click.echo(f"{out}: {len(table.rows)} rows, {', '.join(table.head)}")
