"""The accuracy with only the labels most worth asking for, compared with all labels and with a random sample."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import msgspec

from stream_nb.active import ADVANCE_MAILS, LabelBudget, margin, uncertainty
from stream_nb.mail_nb.decision import Policy
from stream_nb.types import Score

from ..ingest.feeder import Item
from ..model.silence import SILENCE_MARGIN
from ..records.number_text import percentage, share_percentage
from ..records.schemas import SILENCE
from ..records.values import Label
from .prequential import Classifier, SourcedLabel, evaluate
from .report import Report

RUNS = 4
"""How many times the mails are read."""


class AskingReport(msgspec.Struct, frozen=True):
    """Figures over the same mails, with different labels learned.

    `all_labels`: every label is learned. `asked`: only the `labels` that were asked for. `asked_and_silence`: the
    `labels_with_silence` that were asked for, and for other mails the prediction, unless it was near another class.
    `random`: as many labels as in `asked`, drawn at random.
    """

    share: float
    labels: int
    labels_with_silence: int
    all_labels: Report
    asked: Report
    asked_and_silence: Report
    random: Report


def evaluate_asking(
    open_items: Callable[[], Iterable[Item]],
    new_model: Callable[[], Classifier],
    policy: Policy,
    headers: str,
    share: float,
    seed: int = 0,
    progress: Callable[[int], None] = lambda mails: None,
) -> AskingReport:
    """Run a new model `RUNS` times over labelled mails, each time from the start.

    Args:
        open_items: Returns the mails, in order, each time it is called.
        new_model: Returns an empty model.
        policy: As for `evaluate`.
        headers: As for `evaluate`.
        share: The share of mails whose labels are asked for, above 0, at most 1.
        seed: Seed of the random sample.
        progress: Called with the number of mails processed so far, over all runs.

    Raises:
        UserError: No mail has a label.
    """
    scored = 0

    def run(label_to_learn: Callable[[Score, Label], SourcedLabel | None]) -> Report:
        nonlocal scored
        report, _ = evaluate(
            open_items(),
            new_model(),
            policy,
            headers,
            delay=0,  # who is asked answers at once
            progress=lambda n: progress(scored + n),
            label_to_learn=label_to_learn,
        )
        scored += report.n
        return report

    every = run(lambda score, label: SourcedLabel(label))
    alone, with_silence = LabelBudget(share), LabelBudget(share)
    asked = run(lambda score, label: asked_for(alone, score, label))
    asked_and_silence = run(lambda score, label: asked_for(with_silence, score, label) or unless_near(score))
    drawn = set(random.Random(seed).sample(range(every.n), alone.asked))
    numbers = iter(range(every.n))
    at_random = run(lambda score, label: SourcedLabel(label) if next(numbers) in drawn else None)
    return AskingReport(share, alone.asked, with_silence.asked, every, asked, asked_and_silence, at_random)


def asked_for(budget: LabelBudget, score: Score, label: Label) -> SourcedLabel | None:
    """`label` with no source, if the budget asks for it; else None."""
    return SourcedLabel(label) if budget.ask(uncertainty(score)) else None


def unless_near(score: Score) -> SourcedLabel | None:
    """The prediction as a label of `SILENCE`; None if another class is near."""
    if score.label is None or margin(score) < SILENCE_MARGIN:
        return None
    return SourcedLabel(score.label, SILENCE)


def render_asking(report: AskingReport) -> str:
    """The figures as a table for people."""
    rows = (
        ("all labels", report.all_labels.n, report.all_labels),
        ("asked for", report.labels, report.asked),
        ("asked for, others as predicted", report.labels_with_silence, report.asked_and_silence),
        ("at random", report.labels, report.random),
    )
    lines = [f"{'':32}{'labels':>8}{'of mails':>10}{'accuracy %':>12}{'(1-AUC) %':>11}{'LAM %':>8}"]
    for name, labels, figures in rows:
        cells = [
            share_percentage(figures.accuracy),
            percentage(figures.one_minus_auc_pct, 4),
            percentage(figures.lam_pct),
        ]
        lines.append(f"{name:32}{labels:>8}{100 * labels / figures.n:>8.1f} %{cells[0]:>12}{cells[1]:>11}{cells[2]:>8}")
    mails = report.all_labels.n
    if report.labels > max(1.1 * report.share * mails, report.share * mails + 1):
        lines += (
            f"More than {100 * report.share:g}%: up to {report.share * ADVANCE_MAILS:.0f} labels are asked for in "
            "advance, because the first ones teach most.",
            f"{mails:,} mails are too few to make up for them; some {2 * ADVANCE_MAILS:,} are enough.",
        )
    return "\n".join(lines)
