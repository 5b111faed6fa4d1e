"""Prequential evaluation of the model that settings describe, with the notes that its mails deserve."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ..ingest.class_case import note_on_case
from ..ingest.class_runs import ClassRuns
from ..ingest.copies import Copies
from ..ingest.feeder import Item
from ..model.decay import Decay
from ..model.factory import new_model, new_policy
from ..model.files import started_model
from ..model.forgetting import forget_excess
from ..model.words import known_features
from ..settings import LearnerSettings
from .prequential import evaluate, flipping
from .report import Report


class Evaluation(NamedTuple):
    """The figures, the number of mails skipped because they have no label or cannot be read, and notes about the others
    for people."""

    report: Report
    skipped: int
    notes: list[str]


def evaluate_learner(
    items: Iterable[Item],
    learner: LearnerSettings,
    starter: Path | None = None,
    delay: int | None = None,
    flip: float = 0.0,
    seed: int = 0,
    progress: Callable[[int], None] = lambda mails: None,
) -> Evaluation:
    """Run a new model over labelled mails, as `evaluate` does, with the settings' policy, decay and limit of features.

    Args:
        items: The mails, in order.
        learner: The settings of the model.
        starter: A file of `stream-nb starter` that the model starts with.
        delay: As for `evaluate`.
        flip: The share of labels that are learned wrong, 0 to 1.
        seed: Seed of the draws of `flip`.
        progress: Called with the number of mails processed so far.

    Raises:
        UserError: No mail has a label, the settings contradict each other, or the starter cannot be read.
    """
    model = started_model(learner, starter) if starter else new_model(learner)
    decay = Decay(model, learner.half_life) if learner.half_life is not None else None
    runs, copies = ClassRuns(), Copies()

    def forget() -> None:
        if decay is not None:
            decay.catch_up()
        forget_excess(model, learner.max_features)

    report, skipped = evaluate(
        copies.watch(runs.watch(items)),
        model,
        new_policy(learner),
        learner.headers,
        delay,
        progress,
        flipping(flip, seed),
        learned=forget,
    )
    notes = [f"{runs.note}; --shuffle 0 mixes them"] if runs.note else []
    if case := note_on_case(runs.classes):
        notes.append(case)
    if copies.count:
        notes.append(f"{copies.count:,} of these mails are copies of others, in all figures; on a log each mail "
                     "counts once")  # fmt: skip
    if starter is None and known_features(model) == 0:
        notes.append(f"the model {learner.model} found nothing to read in these mails: all are the same to it; "
                     "docs/models.md lists what each model reads")  # fmt: skip
    return Evaluation(report, skipped, notes)
