"""Prequential evaluation (test-then-train) without a log: score a mail, count it, then learn its label."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy
from stream_nb.types import Mail, Score

from ..errors import UserError
from ..ingest.feeder import Item
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


class Lesson(NamedTuple):
    """What to learn from a mail: a label and its source."""

    label: Label
    source: str = ""


def evaluate(
    items: Iterable[Item],
    model: Classifier,
    policy: Policy,
    headers: str,
    delay: int = 0,
    flip: float = 0.0,
    seed: int = 0,
    progress: Callable[[int], None] = lambda mails: None,
    lesson_of: Callable[[Score, Label], Lesson | None] = lambda score, label: Lesson(label),
    learned: Callable[[], None] = lambda: None,
) -> tuple[Report, int]:
    """Run a model over labelled mails.

    Args:
        items: The mails, in order.
        model: The model; it learns.
        policy: Decides the label from a score, with the cut for the model at that time.
        headers: Which headers to read: ``keep`` or ``safe``, as in `[learner] headers`.
        delay: How many more mails are scored before a label is learned.
        flip: The share of labels, from 0 to 1, that are learned as another known class; the true label is counted.
        seed: Seed of `flip`.
        progress: Called with the number of mails processed so far.
        lesson_of: Returns the lesson of each mail, in order, from its score and label; None for no lesson.
        learned: Called after each lesson.

    Returns:
        The figures, and the number of mails that could not be parsed or have no label. The speed covers reading,
        parsing, scoring and learning.

    Raises:
        UserError: No mail has a label.
    """
    report = RunningReport(policy.positive)
    draw = random.Random(seed)
    due: deque[tuple[Mail, Lesson | None]] = deque()
    classes: list[Label] = []
    scored = 0
    mails = LabelledMails(items, headers)
    started = time.perf_counter()
    for mail, label in mails:
        score = model.score(mail)
        report.update(label, policy.decide(score, policy.cut(model)), score.log_odds)
        if label not in classes:
            classes.append(label)
        due.append((mail, lesson_of(score, _maybe_flipped(label, classes, flip, draw))))
        if len(due) > delay:
            late, lesson = due.popleft()
            if lesson is not None:
                _learn(model, late, lesson)
                learned()
        scored += 1
        progress(scored)
    if not scored:
        raise UserError(
            "no mail with a label: give a folder with a sub-folder for each class, an index, labelled JSON, or a table "
            "with its --label-column"
        )
    return report.report(mails_per_s=scored / (time.perf_counter() - started)), mails.left_out


def _learn(model: Classifier, mail: Mail, lesson: Lesson) -> None:
    if lesson.source == SILENCE and isinstance(model, MailNB):
        model.apply_update(mail, unmeasured(model.grade(mail, *lesson)))
    else:
        model.learn_one(mail, *lesson)


def _maybe_flipped(label: Label, classes: list[Label], flip: float, draw: random.Random) -> Label:
    if flip and draw.random() < flip:
        others = [other for other in classes if other != label]
        return draw.choice(others) if others else label
    return label
