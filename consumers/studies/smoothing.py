"""Accuracy against lambda: one pass over the mails, the same counts for every lambda. Row Q7; note 002, section 2.7."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stream_nb.base import best
from stream_nb.metrics import wilson

from .charts import Mark, band, line_chart
from .corpus import Labelled
from .models import COUNT_MODELS, word_model
from .report import Section

LAMBDAS = (0.0, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def study(mails: Sequence[Labelled], lambdas: Sequence[float] = LAMBDAS, model: str = "boolean") -> Section:
    """Test-then-train once; every mail is scored with each lambda from the counts of the mails before it.

    A mail that every class calls impossible is called what the model calls it: the first class by name.
    """
    counts = word_model(model, 1.0, among=COUNT_MODELS)
    right, impossible = [0] * len(lambdas), [0] * len(lambdas)
    for mail, label, _ in mails:
        for i, joint in enumerate(counts.score_grid(mail, lambdas)):
            right[i] += best(joint) == label
            impossible[i] += bool(joint) and max(joint.values()) == -math.inf
        counts.learn_one(mail, label)
    rows = [
        (value, hits / len(mails), *wilson(hits, len(mails)), none / len(mails))
        for value, hits, none in zip(lambdas, right, impossible, strict=True)
    ]
    top = max(rows, key=lambda row: row[1])
    return Section(
        "Smoothing curve",
        (
            f"{model.capitalize()} model over {len(mails):,} mails, each scored before it is learned.",
            _found(rows, top),
        ),
        ((("lambda", "accuracy", "from (95 %)", "to", "share impossible in every class"), rows),),
        (
            line_chart(
                {
                    "accuracy": [row[:2] for row in rows],
                    "95 % interval": band([(row[0], row[2]) for row in rows], [(row[0], row[3]) for row in rows]),
                },
                "lambda (messages added to each count; 0 at the left)",
                "accuracy (share of mails)",
                log_x=True,
                marks=[Mark(*row[:2], text) for row, text in ((top, "best"), (_at(rows, 1.0), "Laplace")) if row],
            ),
        ),
        {"rows": rows, "best": top[0]},
    )


def _found(rows: list[tuple], top: tuple) -> str:
    """What the numbers say of no smoothing, of the best, and of Laplace's."""
    said = [f"Best here: lambda {top[0]:g} with {top[1]:.2%} right."]
    none, laplace = _at(rows, 0.0), _at(rows, 1.0)
    if none and none is not top:
        said.append(
            f"Without smoothing {none[1]:.2%} are right: one word met in only one class decides alone (the notes' "
            f"peanut), and {none[4]:.2%} of the mails are impossible in every class."
        )
    if laplace and laplace is not top:
        worse = "worse beyond chance" if laplace[3] < top[2] else "within the intervals of chance"
        said.append(f"Laplace's lambda 1 has {laplace[1]:.2%}, {worse}.")
    return " ".join(said)


def _at(rows: list[tuple], value: float) -> tuple | None:
    return next((row for row in rows if row[0] == value), None)
