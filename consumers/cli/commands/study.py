"""`stream-nb study NAME [PATH]`."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...settings import Settings
from ..mails import open_mails
from ..messages import note
from ..numeric import SEED, SMOOTHING, FiniteRange, count
from ..options import OutFileType, SourceOptions, classes_option, table_options, with_config

if TYPE_CHECKING:
    from ...ingest.formats.table import Columns
    from ...studies.corpus import Corpus
    from ...studies.report import Section

Study = Callable[..., "Section"]
STUDIES = {
    "learning": "training and test accuracy against training mails",
    "smoothing": "accuracy against lambda",
    "convergence": "estimates converge to the truth (no mail needed)",
    "gaussian": "is a number normal? Gaussian against bins",
    "boundary": "quadratic and linear Gaussian boundary",
    "risk": "regret against the least possible error (no mail needed)",
    "dependence": "are words independent given the class?",
    "events": "Bernoulli, boolean and multinomial on one ROC plot",
    "prior": "the effect of the class prior",
    "novelty": "perplexity, p(x), and the strangest mails",
    "entropy": "how spread out the words of a class are",
    "likelihood": "the data log-likelihood and its parts",
    "logistic": "comparison with logistic regression",
    "picture": "the model as a Bayes net (see --out)",
}
READ_NO_WORDS = ("convergence", "gaussian", "boundary", "picture")
GENERATED = 2000
"""Maximum number of mails generated if none are given."""


@click.command("study", epilog="Studies: " + "; ".join(f"{name}: {text}" for name, text in STUDIES.items()) + ".")
@click.argument("name", type=click.Choice([*STUDIES, "all"]), metavar="NAME")
@click.argument("path", required=False)
@classes_option
@table_options
@click.option("--limit", type=count(10), default=4000, show_default=True, help="Read at most this many mails.")
@click.option("--shuffle", type=SEED, metavar="SEED", help="Shuffle the mails with this seed.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of generated mails and of all draws.")
@click.option("--model", metavar="MODEL", help="mail, multinomial, boolean, bernoulli, or one of the study's own.")
@click.option("--smoothing", type=SMOOTHING, help="Lambda.")
@click.option("--positive", metavar="CLASS", help="The class to detect; default from the settings.")
@click.option("--feature", metavar="NAMES", help="gaussian, boundary: only these numbers, separated by commas.")
@click.option("--words", metavar="WORDS", help="dependence: these words, separated by commas.")
@click.option("--stop-words", type=count(0), help="learning: leave out this many of the most common words.")
@click.option("--draws", type=count(10, 10_000_000), help="convergence: number of draws.")
@click.option("--heads", type=FiniteRange(0, 1, min_open=True, max_open=True), help="convergence: P(heads).")
@click.option("--out", type=OutFileType(), help="Also write a self-contained HTML report.")
@with_config
def command(
    settings: Settings,
    name: str,
    path: str | None,
    limit: int,
    shuffle: int | None,
    seed: int,
    out: Path | None,
    classes: str | None,
    columns: Columns | None,
    **options: Any,
) -> None:
    """Run a study of the theory on the labelled mails in PATH (as for `feed`), or on generated mails without PATH.

    NAME is one of the studies below, or all.
    """
    from ...errors import UserError
    from ...studies import report
    from ...studies.corpus import has_words

    names = list(STUDIES) if name == "all" else [name]
    studies: list[Study] = [importlib.import_module(f"...studies.{study}", __package__).study for study in names]
    given = {option: value for option, value in options.items() if value is not None}
    if name != "all":
        _refuse_unknown(name, studies[0], given)
    given = {"positive": settings.learner.positive, **given, "seed": seed}
    own_mails = path is not None
    corpus = None
    if own_mails or any(_needs_mails(study) for study in studies):
        corpus = _corpus(settings, path, limit, shuffle, seed, classes, columns)
        click.echo(corpus.about + "\n")
    sections: list[report.Section] = []
    have_words = corpus is None or has_words(corpus.mails)
    for each, study in zip(names, studies, strict=True):
        known = inspect.signature(study).parameters
        arguments = {option: value for option, value in given.items() if option in known}
        if corpus is not None and "mails" in known and (own_mails or _needs_mails(study)):
            arguments["mails"] = corpus.mails
        try:
            if not (have_words or each in READ_NO_WORDS or _reads_features(given)):
                raise UserError(
                    f"study {each} reads words, but no mail has any; give --text-column if PATH is a table, or try "
                    "study gaussian"
                )
            sections.append(study(**arguments))
        except UserError as error:
            if name != "all":
                raise
            note(f"{each} is left out: {error}")
            continue
        click.echo(report.in_text(sections[-1]) + "\n")
    if out is not None:
        report.write(out, f"stream-nb study {name}", sections, corpus.about if corpus else "")
        click.echo(f"report: {out}")


def _corpus(
    settings: Settings,
    path: str | None,
    limit: int,
    shuffle: int | None,
    seed: int,
    classes: str | None,
    columns: Columns | None,
) -> Corpus:
    from ...errors import UserError
    from ...studies import corpus

    if path is None and (shuffle, classes, columns) != (None, None, None):
        raise UserError(
            "--shuffle, --classes, --label-column and --text-column need a PATH: give one, or leave them out"
        )
    if path is None:
        return corpus.generate(min(limit, GENERATED), seed)
    source, *_ = open_mails(SourceOptions(path, shuffle, classes, columns=columns), settings)
    name = path if shuffle is None else f"{path}, shuffled with seed {shuffle}"
    return corpus.load(source, name, limit, settings.learner.headers, note)


def _refuse_unknown(name: str, study: Study, given: Mapping[str, Any]) -> None:
    """Raise UserError for an option that the study does not have."""
    from ...errors import UserError

    unknown = [option for option in given if option not in inspect.signature(study).parameters]
    if unknown:
        raise UserError(f"study {name} has no --{unknown[0].replace('_', '-')}")


def _reads_features(options: Mapping[str, Any]) -> bool:
    """Whether the chosen model reads features."""
    from stream_nb.registry import MODELS

    model = options.get("model")
    return model in MODELS and MODELS[model].messages == "features"


def _needs_mails(study: Study) -> bool:
    parameter = inspect.signature(study).parameters.get("mails")
    return parameter is not None and parameter.default is inspect.Parameter.empty
