"""`stream-nb personal PATH`."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...settings import Settings
from ..compile_first import compile_first
from ..mails import open_mails
from ..messages import note
from ..numeric import SEED, FiniteRange, count
from ..options import OutFileType, SourceOptions, classes_option, starter_option, table_options, with_config

if TYPE_CHECKING:
    from ...ingest.formats.table import Columns


@click.command("personal")
@click.argument("path")
@click.option("--train", type=count(2), help="Mails to train on; default: all that are not for the other two.")
@click.option("--validate", type=count(2), help="Mails for choosing smoothing and threshold; default: a tenth.")
@click.option("--test", type=count(2), help="Mails to test on; default: a tenth.")
@click.option("--positive", default="spam", show_default=True, help="The class to detect.")
@click.option(
    "--lose-at-most",
    type=FiniteRange(0, 1),
    help="Choose the threshold so that at most this share of other mail is lost.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the random split.")
@click.option(
    "--out",
    type=OutFileType(),
    default=Path("personal.html"),
    show_default=True,
    help="Where to write the report, an HTML page.",
)
@click.option(
    "--model",
    type=OutFileType(),
    default=Path("personal.snb"),
    show_default=True,
    help="Where to save the filter, for `classify --model` and `learn --model`; a new file.",
)
@starter_option
@classes_option
@table_options
@with_config
def command(
    settings: Settings,
    path: str,
    train: int | None,
    validate: int | None,
    test: int | None,
    positive: str,
    lose_at_most: float | None,
    seed: int,
    out: Path,
    model: Path,
    starter: Path | None,
    classes: str | None,
    columns: Columns | None,
) -> None:
    """Train a filter on your own mail, choose smoothing and threshold, test it, save it, and write a report.

    PATH is a folder with one sub-folder per class, or anything else that `feed` reads with labels. All mails are used,
    in the proportions 8 / 1 / 1, unless you give the sizes. Fewer mails than --train, --validate and --test request are
    split in the same proportions. Each part needs 5 mails.
    """
    import msgspec

    from ...filter.model_file import check_new, new_file_model, write_new
    from ...studies import corpus, personal, report
    from ..progress import status_line, with_progress

    check_new(model)
    source, total, _ = open_mails(SourceOptions(path, classes=classes, columns=columns), settings)
    compile_first(settings.learner, starter, source.features)
    shown = replace(source, read=lambda: with_progress(source, total))
    mails, about = corpus.load(shown, path, headers=settings.learner.headers, notify=note)
    if starter is not None:
        about += f" The filter starts with {starter}."
    click.echo(about + "\n")
    initial = new_file_model(msgspec.structs.replace(settings.learner, positive=positive), starter)
    with status_line() as show:
        show("training, choosing smoothing and threshold, testing")
        trial = personal.study(mails, initial, (train, validate, test), lose_at_most, seed)
    for section in trial.sections:
        click.echo(report.in_text(section) + "\n")
    report.write(out, "A personal spam detector", trial.sections, about)
    write_new(model, trial.model, trial.threshold, trial.learned)
    click.echo(f"report: {out}")
    click.echo(f"filter: {model}")
    quoted = shlex.quote(str(model))
    if any(labelled.mail.features for labelled in mails):  # classify reads mail, which has no features
        click.echo(f"next: stream-nb load {quoted}, and feed new messages")
    else:
        click.echo(f"next: stream-nb classify --model {quoted} < mail.eml")
