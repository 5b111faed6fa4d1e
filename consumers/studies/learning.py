"""Accuracy on training and on test mails against the number of training mails. Row Q6; note 002, section 2.6."""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb import MultinomialNB
from stream_nb.metrics import wilson

from .charts import line_chart
from .corpus import Labelled, divided
from .report import Section

_MOST_JUDGED = 1000


def study(mails: Sequence[Labelled], seed: int = 0, smoothing: float = 0.1) -> Section:
    """Train on ever more of four fifths of the mails, test on the other fifth, never on what was trained on."""
    test_size = len(mails) // 5
    train, test = divided(list(mails), (len(mails) - test_size, test_size), seed)
    sizes = [n for n in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000) if n < len(train)] + [len(train)]
    model, rows, at = MultinomialNB(smoothing=smoothing, presence=True), [], 0
    for size in sizes:
        for mail, label in train[at:size]:
            model.learn_one(mail, label)
        at = size
        rows.append((size, accuracy(model, train[max(0, size - _MOST_JUDGED) : size]), accuracy(model, test)))
    low, high = wilson(round(rows[-1][2] * len(test)), len(test))
    return Section(
        "Learning curve",
        (
            f"Boolean multinomial model, lambda {smoothing:g}, {len(test)} test mails. Training accuracy is that on "
            f"the last {_MOST_JUDGED} training mails at most. With few mails the model describes its training mails "
            "perfectly and new ones badly (overfitting); the two curves meet as mails come in.",
            f"At the end {rows[-1][2]:.2%} of the test mails are right (95 % interval {low:.2%} to {high:.2%}).",
        ),
        ((("training mails", "training accuracy", "test accuracy"), rows),),
        (
            line_chart(
                {"training": [(n, a) for n, a, _ in rows], "test": [(n, b) for n, _, b in rows]},
                "training mails",
                "accuracy",
                log_x=True,
            ),
        ),
        {"rows": rows},
    )


def accuracy(model, mails: Sequence[Labelled]) -> float:
    """The share of mails whose label the model gives."""
    return sum(model.predict_one(mail) == label for mail, label in mails) / len(mails)
