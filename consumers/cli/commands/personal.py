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
    help="Mails for validation.",
)
@click.option("--test", type=click.IntRange(min=2), default=50, show_default=True, help="Mails to test on.")
@click.option("--positive", default="spam", show_default=True, help="The class to find.")
@click.option("--lose-at-most", type=click.FloatRange(0, 1), help="Lose at most this share of the other mail.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the division.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("personal.html"),
    show_default=True,
    help="The report.",
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

    PATH holds your mails in a sub-folder for each class, or in another form that `feed` reads with labels.
    """
    from ...studies import corpus, personal, report

    mails, about = corpus.load(path, notify=note)
    click.echo(about + "\n")
    sections = personal.study(mails, (train, validate, test), positive, lose_at_most, seed)
    for section in sections:
        click.echo(report.in_text(section) + "\n")
    report.write(out, "A personal spam detector", sections, about)
    click.echo(f"report: {out}")
