"""`stream-nb export FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...settings import Settings
from ..mails import open_mails
from ..messages import note, say
from ..numeric import FiniteRange, count
from ..options import OutFileType, SourceOptions, classes_option, table_options, with_given, with_settings

if TYPE_CHECKING:
    from ...ingest.formats.table import Columns


@click.command("export")
@click.argument("out", metavar="FILE", type=OutFileType(allow_dash=True))
@click.option("--mails", metavar="PATH", help="Train on these labelled mails; default: the log's model.")
@click.option(
    "--model",
    type=click.Choice(["multinomial", "boolean", "bernoulli"]),
    help="With --mails: the model to train; default: multinomial.",
)
@click.option("--smoothing", type=FiniteRange(0, 1e300, min_open=True), help="Lambda; default from the settings.")
@click.option("--positive", metavar="CLASS", help="The class that the log-odds refer to; default from the settings.")
@click.option("--top", type=count(1), metavar="N", help="Write the N most probable words of each class instead.")
@classes_option
@table_options
@with_settings
def command(
    settings: Settings,
    out: Path,
    mails: str | None,
    model: str | None,
    smoothing: float | None,
    positive: str | None,
    top: int | None,
    classes: str | None,
    columns: Columns | None,
) -> None:
    """Write the model's word weights to FILE, or to - for stdout, as CSV.

    The first row is b, the bias. Each further row is a word with its weight w and its probability in each class. In a
    textbook model, log-odds = b + the sum of w times x, where x is the number of occurrences of the word in a mail
    (multinomial), or 1 if it occurs. The mail model damps that sum, so its weights only rank words, and b is 0. With
    --top, the rows are the most probable words of each class. Words that begin like a formula (=, +, -, @) have ' in
    front.
    """
    from ...errors import UserError
    from ...records.setup import open_existing_log
    from ...runtime import private_files
    from ...studies import corpus, export

    if mails is None and (model or classes or columns):
        raise UserError(
            "--model, --classes, --label-column and --text-column need labelled mails: name them with --mails"
        )
    learner = with_given(settings, "learner", smoothing=smoothing, positive=positive).learner
    if mails is None:
        with open_existing_log(settings) as log:
            table = export.of_log(log, settings, learner, top)
    else:
        source, *_ = open_mails(SourceOptions(mails, classes=classes, columns=columns), settings)
        labelled, about = corpus.load(source, mails, headers=settings.learner.headers, notify=note)
        say(about)
        table = export.of_mails(labelled, model or "multinomial", learner, top)
    text = export.to_csv(table)
    if str(out) == "-":
        click.echo(text, nl=False)
        return
    private_files.write(out, text.encode())
    click.echo(f"{out}: {len(table.rows)} rows, {', '.join(table.head)}")
