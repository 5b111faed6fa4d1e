"""`stream-nb study NAME PATH`."""

from __future__ import annotations

import importlib
from pathlib import Path

import click

from ..options import note

STUDIES = {
    "learning": "training and test accuracy against training mails",
    "smoothing": "accuracy against lambda",
    "convergence": "estimates tend to the truth (no mail needed)",
    "gaussian": "is a number of a mail normal? Gaussian against bins",
    "risk": "regret against the least possible error (no mail needed)",
    "dependence": "are words independent given the class?",
    "logistic": "against logistic regression",
    "picture": "the model as a Bayes net (see --out)",
}
WITHOUT_MAIL = ("convergence", "risk")


@click.command("study", epilog="Studies: " + "; ".join(f"{name}: {text}" for name, text in STUDIES.items()) + ".")
@click.argument("name", type=click.Choice([*STUDIES, "all"]), metavar="NAME")
@click.argument("path", required=False)
@click.option(
    "--limit", type=click.IntRange(min=10), default=4000, show_default=True, help="Read this many mails at most."
)
@click.option("--shuffle", type=int, metavar="SEED", help="Seeded random order instead of the order found.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Also write a self-contained HTML report.")
def command(name: str, path: str | None, limit: int, shuffle: int | None, out: Path | None) -> None:
    """Redraw a study of the lecture notes on the labelled mails at PATH (as for `feed`).

    NAME is one of the studies below, or all.
    """
    from ...errors import UserError
    from ...studies import corpus, report

    names = list(STUDIES) if name == "all" else [name]
    needing = [study for study in names if study not in WITHOUT_MAIL]
    if needing and path is None:
        raise UserError(f"study {needing[0]} needs mails: stream-nb study {name} PATH")
    mails = corpus.load(path, limit, shuffle, notify=note) if needing else []
    sections = []
    for study in names:
        module = importlib.import_module(f"...studies.{study}", __package__)
        sections.append(module.study() if study in WITHOUT_MAIL else module.study(mails))
        click.echo(report.in_text(sections[-1]) + "\n")
    if out is not None:
        report.write(out, f"stream-nb study {name}", sections)
        click.echo(f"report: {out}")
