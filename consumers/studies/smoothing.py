"""Accuracy against lambda: one pass over the mails, the same counts for every lambda. Row Q7; note 002, section 2.7."""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb import MultinomialNB

from .charts import line_chart
from .corpus import Labelled
from .report import Section

LAMBDAS = (0.0, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def study(mails: Sequence[Labelled], lambdas: Sequence[float] = LAMBDAS) -> Section:
    """Test-then-train once; every mail is scored with each lambda from the counts of the mails before it."""
    model, right = MultinomialNB(presence=True), [0] * len(lambdas)
    for mail, label in mails:
        for i, joint in enumerate(model.score_grid(mail, lambdas)):
            right[i] += bool(joint) and max(joint, key=joint.__getitem__) == label
        model.learn_one(mail, label)
    rows = [(value, hits / len(mails)) for value, hits in zip(lambdas, right, strict=True)]
    best = max(rows, key=lambda row: row[1])
    return Section(
        "Smoothing curve",
        (
            f"Boolean multinomial model over {len(mails)} mails, each scored before it is learned. With lambda 0 one "
            "word met in only one class decides alone (the notes' peanut); a little smoothing is much better, "
            f"Laplace's 1 is usually too much. Best here: lambda {best[0]:g} with {best[1]:.2%}.",
        ),
        ((("lambda", "accuracy"), rows),),
        (line_chart({"accuracy": rows}, "lambda (0 is in the table only)", "accuracy", log_x=True),),
        {"rows": rows, "best": best[0]},
    )
