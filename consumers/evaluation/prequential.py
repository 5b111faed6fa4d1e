"""Prequential evaluation (test-then-train) without a worker: score a mail, count it, then learn its label."""

from __future__ import annotations

import heapq
import math
import random
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy
from stream_nb.types import Mail, Score

from ..errors import UserError
from ..ingest.feeder import Item, Labelling
from ..ingest.labelled import LabelledMails
from ..model.silence import unmeasured
from ..records.schemas import SILENCE
from ..records.values import Label
from .report import Report, RunningReport


class Classifier(Protocol):
    """The interface of an evaluated model, which any model of `stream_nb` that reads mail has."""

    def score(self, x: Any, /) -> Score:
        """The score of mail `x`; changes no state."""
        ...

    def learn_one(self, x: Any, y: Label, /, source: str = "") -> None:
        """Learn the label `y` of mail `x`, given by `source`."""


class SourcedLabel(NamedTuple):
    """A label to learn, and the source that gave it."""

    label: Label
    source: str = ""


def evaluate(
    items: Iterable[Item],
    model: Classifier,
    policy: Policy,
    headers: str,
    delay: int | None = None,
    progress: Callable[[int], None] = lambda mails: None,
    label_to_learn: Callable[[Score, Label], SourcedLabel | None] = lambda score, label: SourcedLabel(label),
    learned: Callable[[], None] = lambda: None,
) -> tuple[Report, int]:
    """Run a model over labelled mails.

    Args:
        items: The mails, in order.
        model: The model; it learns.
        policy: Decides the label from a score, with the threshold for the model at that time.
        headers: Which headers to read: ``keep`` or ``safe``, as in `[learner] headers`.
        delay: How many more mails are scored before a label is learned; None: as many as arrived before the label, if
            the mails are those of a log, else 0.
        progress: Called with the number of mails processed so far.
        label_to_learn: Returns what is learned from each mail, in order, from its score and label; None for nothing.
            The true label is counted. A label without a source has that of the log.
        learned: Called after each label that was learned.

    Returns:
        The figures, and the number of mails that could not be parsed or have no label. The speed covers reading,
        parsing, scoring and learning.

    Raises:
        UserError: No mail has a label.
    """
    report = RunningReport(policy.positive)
    due: list[tuple[float, int, int, Mail, SourcedLabel]] = []  # by the label's time and rank, then the mail's number

    def learn_due(now: float) -> None:
        while due and due[0][0] < now:  # of a mail and a label at the same time, the mail comes first
            *_, mail, to_learn = heapq.heappop(due)
            _learn(model, mail, to_learn)
            learned()

    scored = 0
    mails = LabelledMails(items, headers)
    started = time.perf_counter()
    for mail, label, labelling in mails:
        if labelling is None or delay is not None:  # a clock that counts mails
            labelling = Labelling(scored, scored + (delay or 0), labelling.source if labelling is not None else "")
        learn_due(labelling.arrived_at)
        score = model.score(mail)
        report.update(label, policy.decide(score, policy.threshold_for(model)), score.log_odds)
        to_learn = label_to_learn(score, label)
        if to_learn is not None:
            sourced = SourcedLabel(to_learn.label, to_learn.source or labelling.source)
            heapq.heappush(due, (labelling.labelled_at, labelling.rank, scored, mail, sourced))
        scored += 1
        progress(scored)
    learn_due(math.inf)
    if not scored:
        raise UserError(
            "no mail with a label: give a folder with a sub-folder for each class, an index, labelled JSON, or a table "
            "with its --label-column"
        )
    return report.report(mails_per_s=scored / (time.perf_counter() - started)), mails.left_out


def _learn(model: Classifier, mail: Mail, given: SourcedLabel) -> None:
    if given.source == SILENCE and isinstance(model, MailNB):
        model.apply_update(mail, unmeasured(model.grade(mail, *given)))
    else:
        model.learn_one(mail, *given)


def flipping(share: float, seed: int) -> Callable[[Score, Label], SourcedLabel]:
    """A `label_to_learn` for one run, which makes some labels wrong.

    Args:
        share: The share of labels, from 0 to 1, that are learned as another class among those seen so far.
        seed: Seed of the draws.
    """
    draw, classes = random.Random(seed), list[Label]()

    def maybe_flipped(score: Score, label: Label) -> SourcedLabel:
        if label not in classes:
            classes.append(label)
        others = [other for other in classes if other != label]
        flipped = draw.random() < share and others
        return SourcedLabel(draw.choice(others) if flipped else label)

    return maybe_flipped
