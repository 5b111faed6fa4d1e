"""`stream-nb evaluate PATH`."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from ...records.number_text import many
from ...settings import SECTIONS, Settings
from ..compile_first import compile_first
from ..mails import open_mails
from ..messages import note, say
from ..numeric import SEED, SMOOTHING, FiniteRange, ShareType, count
from ..options import SourceOptions, source_options, starter_option, with_config, with_given

if TYPE_CHECKING:
    from collections.abc import Callable

    from stream_nb.mail_nb.decision import Policy


_LEARNER = SECTIONS["learner"]


@click.command("evaluate")
@source_options
@click.option(
    "--model",
    "name",
    type=click.Choice(get_args(_LEARNER["model"])),
    help="mail: the filter's own model; the others are textbook models; default from the settings.",
)
@click.option(
    "--smoothing",
    type=SMOOTHING,
    help="Lambda, in mails; default from the settings.",
)
@click.option("--positive", metavar="CLASS", help="The class to detect; default from the settings.")
@click.option(
    "--learn",
    type=click.Choice(get_args(_LEARNER["learn"])),
    help="Which mails the mail model learns; default from the settings.",
)
@click.option(
    "--delay",
    type=count(0),
    metavar="MAILS",
    help="Learn each label this many mails late; default: 0, or when it came, if PATH is a log.",
)
@click.option(
    "--flip",
    type=FiniteRange(0, 1),
    default=0.0,
    help="Learn this share of the labels wrong.",
)
@click.option(
    "--ask",
    "share",
    type=ShareType(),
    help="Learn only this share of the labels, as in 10%, for the mails where they teach most, compared with all "
    "labels and with a random share.",
)
@starter_option
@click.option("--seed", type=SEED, default=0, help="Seed of the draws of --flip and of the random share of --ask.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@with_config
def command(
    settings: Settings,
    chosen: SourceOptions,
    name: str | None,
    smoothing: float | None,
    positive: str | None,
    learn: str | None,
    delay: int | None,
    flip: float,
    share: float | None,
    starter: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Score each mail, then learn its label (test-then-train), and print the figures.

    PATH is as for `feed`; the mails need labels. With the address of a log, other settings can be tried on the mail
    that came: each label that counts now is learned at the time when it came.

    The settings threshold, lose_at_most, false_positive_cost and unsure determine the class predicted from a score;
    "unsure" counts as wrong.

    With [learner] half_life, the figures of the same model without it are printed, too.

    --ask runs twice without most labels: once learning the predictions in their place, unless another class is close,
    and once learning nothing in their place.
    """
    from ...errors import UserError
    from ...model.factory import new_policy

    given = {"model": name, "smoothing": smoothing, "positive": positive, "learn": learn}
    settings = with_given(settings, "learner", **given)
    learner = settings.learner
    policy = new_policy(learner)  # raises UserError for contradictory settings before mails are read
    if share is not None:
        if delay is not None or flip or starter or learner.half_life or learner.max_features or chosen.path == "-":
            raise UserError("--ask reads the mails several times, with their labels unchanged: it cannot be combined "
                            "with --delay, --flip, --starter, half_life, max_features or standard input")  # fmt: skip
        _print_asking(chosen, settings, policy, share, seed, as_json)
        return
    if learner.half_life is not None and chosen.path == "-":
        raise UserError("[learner] half_life is compared with the same model without it, so the mails are read twice: "
                        "it cannot be combined with standard input")  # fmt: skip
    _print_figures(chosen, settings, starter, delay, flip, seed, as_json)


def _print_figures(
    chosen: SourceOptions,
    settings: Settings,
    starter: Path | None,
    delay: int | None,
    flip: float,
    seed: int,
    as_json: bool,
) -> None:
    import msgspec

    from ...evaluation.decayed import DecayReport, render_decay
    from ...evaluation.learner import Evaluation, evaluate_learner
    from ...evaluation.report import render
    from ...records.schemas import encode
    from ...runtime.collection import collect_rarely
    from ..progress import progress_bar

    collect_rarely()  # else each collection traverses all that has been imported
    learner = settings.learner
    source, total, _ = open_mails(chosen, settings)
    compile_first(learner, starter, source.features)

    def run(half_life: int | None, progress: Callable[[int], None]) -> Evaluation:
        items = itertools.islice(source, chosen.limit)
        settled = msgspec.structs.replace(learner, half_life=half_life)
        return evaluate_learner(items, settled, starter, delay, flip, seed, progress)

    if learner.half_life is None:
        with progress_bar(total) as progress:
            report, skipped, notes = run(None, progress)
        click.echo(encode(report).decode() if as_json else render(report))
    else:
        with progress_bar(total and 2 * total) as progress:
            undecayed, skipped, notes = run(None, progress)
            decayed, *_ = run(learner.half_life, lambda mails: progress(undecayed.n + mails))
        both = DecayReport(learner.half_life, decayed, undecayed)
        click.echo(encode(both).decode() if as_json else render_decay(both))
    for line in notes:
        note(line)
    if skipped:
        say(f"{many(skipped, 'mail was', 'mails were')} skipped: without a label, or unreadable")


def _print_asking(
    chosen: SourceOptions, settings: Settings, policy: Policy, share: float, seed: int, as_json: bool
) -> None:
    from ...evaluation.asking import RUNS, evaluate_asking, render_asking
    from ...model.factory import new_model
    from ...records.schemas import encode
    from ...runtime.collection import collect_rarely
    from ..progress import progress_bar

    collect_rarely()  # else each collection traverses all that has been imported
    learner = settings.learner
    source, total, _ = open_mails(chosen, settings)
    compile_first(learner, features=source.features)
    with progress_bar(total and RUNS * total) as progress:
        report = evaluate_asking(
            lambda: itertools.islice(source, chosen.limit),
            lambda: new_model(learner),
            policy,
            learner.headers,
            share,
            seed,
            progress,
        )
    click.echo(encode(report).decode() if as_json else render_asking(report))
