"""`stream-nb evaluate PATH`."""

from __future__ import annotations

import itertools

import click

from ..options import note, source_options, with_settings


@click.command("evaluate")
@source_options
@click.option(
    "--model",
    "name",
    type=click.Choice(["mail", "multinomial", "boolean", "bernoulli"]),
    default="mail",
    show_default=True,
    help="The filter's own model, or one of the lecture notes over words.",
)
@click.option("--smoothing", type=click.FloatRange(min=0), help="Lambda, in messages; default from the settings.")
@click.option("--learn", type=click.Choice(["everything", "near-error"]), help="Training policy of the mail model.")
@click.option("--delay", type=click.IntRange(min=0), default=0, help="Learn each label this many mails late.")
@click.option("--flip", type=click.FloatRange(0, 1), default=0.0, help="Share of labels told wrong, at random.")
@click.option("--seed", type=int, default=0, help="Seed of --flip.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@with_settings
def command(settings, path, shuffle, classes, limit, name, smoothing, learn, delay, flip, seed, as_json) -> None:
    """Score each mail, then learn its label (test-then-train), without a log; print the figures.

    PATH is as for `feed`; the mails need labels. Mails are called what the settings (threshold, lose_at_most,
    false_positive_cost, unsure) make of their scores; "unsure" counts as wrong.
    """
    import msgspec

    from ...errors import UserError
    from ...evaluation.prequential import evaluate
    from ...evaluation.report import render
    from ...ingest.formats import open_source
    from ...model.factory import named_model, new_policy
    from ..progress import progress_bar

    changes = {key: value for key, value in (("smoothing", smoothing), ("learn", learn)) if value is not None}
    learner = msgspec.structs.replace(settings.learner, **changes)
    if name != "mail" and learner.lose_at_most is not None:
        raise UserError(f"[learner] lose_at_most is read from the mail model's margins; --model {name} keeps none")
    policy = new_policy(learner)
    source = open_source(path, shuffle=shuffle, classes=classes, notify=note)
    total = source.total if limit is None else min(limit, source.total or limit)
    with progress_bar("mails", total) as progress:
        report, skipped = evaluate(
            itertools.islice(source, limit),
            named_model(name, learner),
            policy,
            learner.headers,
            delay,
            flip,
            seed,
            progress,
        )
    click.echo(msgspec.json.encode(report).decode() if as_json else render(report))
    if skipped:
        click.echo(f"{skipped} mails could not be read or have no label", err=True)
