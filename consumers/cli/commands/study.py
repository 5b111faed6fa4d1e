"""`stream-nb study NAME [PATH]`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..options import note, with_settings

STUDIES = {
    "learning": "training and test accuracy against training mails",
    "smoothing": "accuracy against lambda",
    "convergence": "estimates tend to the truth (no mail needed)",
    "gaussian": "is a number normal? Gaussian against bins",
    "boundary": "quadratic and linear Gaussian boundary",
    "risk": "regret against the least possible error (no mail needed)",
    "dependence": "are words independent given the class?",
    "events": "Bernoulli, boolean and multinomial on one ROC picture",
    "prior": "what the class prior changes",
    "novelty": "perplexity, p(x), and the strangest mails",
    "entropy": "how spread out the words of a class are",
    "likelihood": "the data log-likelihood and its parts",
    "logistic": "against logistic regression",
    "picture": "the model as a Bayes net (see --out)",
}
GENERATED = 2000
"""So many mails are generated where none are given."""


@click.command("study", epilog="Studies: " + "; ".join(f"{name}: {text}" for name, text in STUDIES.items()) + ".")
@click.argument("name", type=click.Choice([*STUDIES, "all"]), metavar="NAME")
@click.argument("path", required=False)
@click.option("--live", is_flag=True, help="The labelled mails on the log (see --log), instead of a PATH.")
@click.option(
    "--limit", type=click.IntRange(min=10), default=4000, show_default=True, help="Read this many mails at most."
)
@click.option("--shuffle", type=int, metavar="SEED", help="Seeded random order instead of the order found.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of generated mails and of all draws.")
@click.option("--model", metavar="MODEL", help="mail, multinomial, boolean, bernoulli, or what else the study takes.")
@click.option("--smoothing", type=click.FloatRange(min=0), help="Lambda.")
@click.option("--positive", metavar="CLASS", help="The class to find; default from the settings.")
@click.option("--feature", metavar="NAMES", help="gaussian, boundary: these numbers only, with commas.")
@click.option("--words", metavar="WORDS", help="dependence: these words, with commas.")
@click.option("--stop-words", type=click.IntRange(min=0), help="learning: leave so many of the most common words out.")
@click.option("--draws", type=click.IntRange(min=10), help="convergence: how many draws.")
@click.option("--heads", type=click.FloatRange(0, 1, min_open=True, max_open=True), help="convergence: P(heads).")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Also write a self-contained HTML report.")
@with_settings
def command(
    settings,
    name: str,
    path: str | None,
    live: bool,
    limit: int,
    shuffle: int | None,
    seed: int,
    out: Path | None,
    **options: Any,
) -> None:
    """Redraw a study of the lecture notes on the labelled mails at PATH (as for `feed`).

    NAME is one of the studies below, or all. Without a PATH the mails are generated.
    """
    from ...studies import report

    names = list(STUDIES) if name == "all" else [name]
    studies = {study: importlib.import_module(f"...studies.{study}", __package__).study for study in names}
    given = {option: value for option, value in options.items() if value is not None}
    if name != "all":
        _refuse_foreign(name, studies[name], given)
    given = {"positive": settings.learner.positive, **given, "seed": seed}
    mails, about = None, ""
    if path is not None or live or any(_needs_mails(study) for study in studies.values()):
        mails, about = _corpus(settings, path, live, limit, shuffle, seed)
        click.echo(about + "\n")
    sections = []
    for study in studies.values():
        named = {option: value for option, value in given.items() if option in inspect.signature(study).parameters}
        own = mails is None or (path is None and not live and not _needs_mails(study))
        sections.append(study(**named) if own else study(mails, **named) if _takes_mails(study) else study(**named))
        click.echo(report.in_text(sections[-1]) + "\n")
    if out is not None:
        report.write(out, f"stream-nb study {name}", sections, about)
        click.echo(f"report: {out}")


def _corpus(settings, path: str | None, live: bool, limit: int, shuffle: int | None, seed: int):
    from ...errors import UserError
    from ...records.setup import open_existing_log
    from ...studies import corpus

    if live and path is not None:
        raise UserError(f"--live reads the log {settings.log}: leave out {path}, or --live")
    if live:
        with open_existing_log(settings) as log:
            return corpus.load_log(log, settings.log, limit)
    if path is None:
        return corpus.generate(min(limit, GENERATED), seed)
    return corpus.load(path, limit, shuffle, notify=note)


def _refuse_foreign(name: str, study: Callable, given: dict[str, Any]) -> None:
    from ...errors import UserError

    foreign = [option for option in given if option not in inspect.signature(study).parameters]
    if foreign:
        raise UserError(f"study {name} has no --{foreign[0].replace('_', '-')}")


def _takes_mails(study: Callable) -> bool:
    return "mails" in inspect.signature(study).parameters


def _needs_mails(study: Callable) -> bool:
    parameter = inspect.signature(study).parameters.get("mails")
    return parameter is not None and parameter.default is inspect.Parameter.empty
