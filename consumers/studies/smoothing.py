"""Accuracy against lambda: one pass over the mails, the same counts for every lambda.

Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section 13.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from stream_nb.metrics import wilson
from stream_nb.posterior import best

from ..records.number_text import percent
from .charts import Annotation, band, line_chart
from .corpus import Labelled
from .models import count_model
from .report import Section

LAMBDAS = (0.0, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class _Row(NamedTuple):
    """Accuracy with one lambda, its 95 % interval, and the share of mails with probability 0 in every class."""

    smoothing: float
    accuracy: float
    low: float
    high: float
    impossible: float


def study(mails: Sequence[Labelled], model: str = "boolean") -> Section:
    """Score each mail with each of `LAMBDAS`, using the counts of the mails before it, then learn it.

    As in the model, a mail with probability 0 in every class is predicted as the first class by name. Raises UserError
    if `model` is not a name of `COUNT_MODELS`.
    """
    counts = count_model(model, 1.0)
    correct, impossible = [0] * len(LAMBDAS), [0] * len(LAMBDAS)
    for mail, label in mails:
        for i, joint in enumerate(counts.score_grid(mail, LAMBDAS)):
            correct[i] += best(joint) == label
            impossible[i] += bool(joint) and max(joint.values()) == -math.inf
        counts.learn_one(mail, label)
    rows = [
        _Row(value, hits / len(mails), *wilson(hits, len(mails)), none / len(mails))
        for value, hits, none in zip(LAMBDAS, correct, impossible, strict=True)
    ]
    top = max(rows, key=lambda row: row.accuracy)
    none, laplace = rows[LAMBDAS.index(0.0)], rows[LAMBDAS.index(1.0)]
    return Section(
        "Smoothing curve",
        (
            f"{model.capitalize()} model over {len(mails):,} mails, each scored before it is learned.",
            _conclusion(top, none, laplace),
        ),
        ((("lambda", "accuracy", "from (95 %)", "to", "share with probability 0 in every class"), rows),),
        (
            line_chart(
                {
                    "accuracy": [(row.smoothing, row.accuracy) for row in rows],
                    "95 % interval": band(
                        [(row.smoothing, row.low) for row in rows], [(row.smoothing, row.high) for row in rows]
                    ),
                },
                "lambda (messages added to each count; 0 at the left)",
                "accuracy (share of mails)",
                log_x=True,
                annotations=[
                    Annotation(top.smoothing, top.accuracy, "best"),
                    Annotation(laplace.smoothing, laplace.accuracy, "Laplace"),
                ],
            ),
        ),
        {"rows": rows, "best": top.smoothing},
    )


def _conclusion(top: _Row, none: _Row, laplace: _Row) -> str:
    """Sentences about the best lambda, lambda 0, and Laplace's lambda 1."""
    sentences = [f"Best here: lambda {top.smoothing:g}, accuracy {percent(top.accuracy)}."]
    if none is not top:
        sentences.append(
            f"Without smoothing accuracy is {percent(none.accuracy)}: one word that only one class has decides alone, "
            f"and {percent(none.impossible)} of the mails have probability 0 in every class."
        )
    if laplace is not top:
        worse = "lower beyond chance" if laplace.high < top.low else "within the intervals of chance"
        sentences.append(f"Laplace's lambda 1 has {percent(laplace.accuracy)}, {worse}.")
    return " ".join(sentences)
