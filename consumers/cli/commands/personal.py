"""`stream-nb personal PATH`."""

from __future__ import annotations

from pathlib import Path

import click

from ..options import note


@click.command("personal")
@click.argument("path")
@click.option("--train", type=click.IntRange(min=2), default=400, show_default=True, help="Mails to train on.")
@click.option(
    "--validate",
    type=click.IntRange(min=2),
    default=50,
    show_default=True,
    help="Mails to choose smoothing and threshold on.",
)
@click.option("--test", type=click.IntRange(min=2), default=50, show_default=True, help="Mails to test on.")
@click.option("--positive", default="spam", show_default=True, help="The class to find.")
@click.option(
    "--lose-at-most",
    type=click.FloatRange(0, 1),
    help="Choose the threshold so that at most this share of other mail is lost.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random division.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("personal.html"),
    show_default=True,
    help="Where to write the report, an HTML page.",
)
def command(
    path: str,
    train: int,
    validate: int,
    test: int,
    positive: str,
    lose_at_most: float | None,
    seed: int,
    out: Path,
) -> None:
    """Train a filter on your own mail, choose smoothing and threshold, test it, and write a report.

    PATH is a folder with one sub-folder for each class, or anything else that `feed` reads with labels.
    """
    from ...studies import corpus, personal, report

    mails, about = corpus.load(path, notify=note)
    click.echo(about + "\n")
    sections = personal.study(mails, (train, validate, test), positive, lose_at_most, seed)
    for section in sections:
        click.echo(report.in_text(section) + "\n")
    report.write(out, "A personal spam detector", sections, about)
    click.echo(f"report: {out}")
