"""`stream-nb evaluate PATH`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..mails import open_mails
from ..options import SourceOptions, say, source_options, with_config


@click.command("evaluate")
@source_options
@click.option(
    "--model",
    "name",
    type=click.Choice(["mail", "multinomial", "boolean", "bernoulli", "categorical", "gaussian", "mixed"]),
    help="mail: the filter's own model; the others are textbook models; default: settings.",
)
@click.option(
    "--smoothing",
    type=click.FloatRange(min=0),
    help="Lambda, in mails; default: settings.",
)
@click.option(
    "--learn",
    type=click.Choice(["everything", "near-error"]),
    help="What the mail model learns from; default: settings.",
)
@click.option(
    "--delay", type=click.IntRange(min=0), default=0, metavar="MAILS", help="How many mails late labels are learned."
)
@click.option(
    "--flip",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Share of the labels to learn wrong.",
)
@click.option("--seed", type=int, default=0, help="Seed of the draws of --flip.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@with_config
def command(
    settings: Settings,
    chosen: SourceOptions,
    name: str | None,
    smoothing: float | None,
    learn: str | None,
    delay: int,
    flip: float,
    seed: int,
    as_json: bool,
) -> None:
    """Score each mail, then learn its label (test-then-train), without a log; print the figures.

    PATH is as for `feed`; the mails need labels. The settings threshold, lose_at_most, false_positive_cost and unsure
    decide which class a score gives; "unsure" counts as wrong.
    """
    import msgspec

    from ...evaluation.prequential import evaluate
    from ...evaluation.report import render
    from ...model.factory import new_model, new_policy
    from ..progress import progress_bar

    given = (("model", name), ("smoothing", smoothing), ("learn", learn))
    changes = {key: value for key, value in given if value is not None}
    learner = msgspec.structs.replace(settings.learner, **changes)
    policy = new_policy(learner)
    _, total, items = open_mails(chosen)
    with progress_bar("mails", total) as progress:
        report, skipped = evaluate(
            items,
            new_model(learner),
            policy,
            learner.headers,
            delay,
            flip,
            seed,
            progress,
        )
    click.echo(msgspec.json.encode(report).decode() if as_json else render(report))
    if skipped:
        say(f"{skipped} mails were left out: they cannot be read or have no label")
