"""Accuracy on training and on test mails against the number of training mails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from stream_nb.base import NaiveBayes
from stream_nb.metrics import wilson

from ..errors import UserError
from ..records.number_text import many, percent
from ..records.values import Label
from .charts import line_chart
from .corpus import Labelled, divided, word_counts
from .models import word_model
from .report import Section

_MOST_TESTED = 1000
_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
Example = tuple[Any, Label]
"""A mail or its word counts, and its label."""


def study(
    mails: Sequence[Labelled], seed: int = 0, model: str = "boolean", smoothing: float = 0.1, stop_words: int = 0
) -> Section:
    """Train on growing parts of four fifths of the mails, and test on the other fifth.

    Args:
        seed: Seed of the split and of the training order.
        model: A name of `WORD_MODELS`.
        smoothing: Lambda, 0 or more.
        stop_words: Leave out this many words, those that occur in most training mails.

    Raises:
        UserError: There is no model of this name, or too few mails.
    """
    test_size = len(mails) // 5
    if not test_size:
        raise UserError(f"study learning tests on a fifth of the mails, but there are {len(mails)}; give 5 or more")
    examples: list[Example] = [(mail.mail, mail.label) for mail in mails]
    train, test = divided(examples, (len(mails) - test_size, test_size), seed)
    random.Random(seed).shuffle(train)  # otherwise the curve would also reflect the order of the mails
    if stop_words:
        train, test = _without_stop_words(train, test, stop_words)
    sizes = [n for n in _SIZES if n < len(train)] + [len(train)]
    learner, learned = word_model(model, smoothing), 0
    rows: list[tuple[int, float, float]] = []
    for size in sizes:
        for x, label in train[learned:size]:
            learner.learn_one(x, label)
        learned = size
        rows.append((size, accuracy(learner, train[max(0, size - _MOST_TESTED) : size]), accuracy(learner, test)))
    low, high = wilson(round(rows[-1][2] * len(test)), len(test))
    left_out = f" The {stop_words:,} most common words are left out." if stop_words else ""
    return Section(
        "Learning curve",
        (
            f"{model.capitalize()} model, lambda {smoothing:g}: {many(len(train), 'training mail')} and "
            f"{many(len(test), 'test mail')}, drawn with seed {seed}.{left_out} Training accuracy is measured on the "
            f"last {_MOST_TESTED:,} training mails at most.",
            f"After {rows[0][0]} mails the model classifies {percent(rows[0][1], 1)} of its training mails and "
            f"{percent(rows[0][2], 1)} of the test mails correctly (the gap is overfitting); at the end "
            f"{percent(rows[-1][1], 1)} and {percent(rows[-1][2], 1)} (95 % interval "
            f"{percent(low, 1)} to {percent(high, 1)}).",
        ),
        ((("training mails", "training accuracy", "test accuracy"), rows),),
        (
            line_chart(
                {"training": [(n, a) for n, a, _ in rows], "test": [(n, b) for n, _, b in rows]},
                "training mails (number)",
                "accuracy (share of mails)",
                log_x=True,
            ),
        ),
        {"rows": rows},
    )


def _without_stop_words(train: list[Example], test: list[Example], most: int) -> tuple[list[Example], list[Example]]:
    """Both parts as word counts, without the `most` words that occur in the largest number of training mails."""
    counted = [(word_counts(mail), label) for mail, label in train]
    common = {word for word, _ in Counter(word for x, _ in counted for word in x).most_common(most)}

    def kept(counts: dict[str, int]) -> dict[str, int]:
        return {word: count for word, count in counts.items() if word not in common}

    return [(kept(x), label) for x, label in counted], [(kept(word_counts(mail)), label) for mail, label in test]


def accuracy(model: NaiveBayes, examples: Sequence[Example]) -> float:
    """The share of examples that the model classifies correctly; `examples` must not be empty."""
    return sum(model.predict_one(x) == label for x, label in examples) / len(examples)
