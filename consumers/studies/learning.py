"""Accuracy on training and on test mails against the number of training mails. Row Q6; note 002, section 2.6."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from stream_nb.metrics import wilson
from stream_nb.types import Label

from .charts import line_chart
from .corpus import Labelled, divided, word_counts
from .models import word_model
from .report import Section

_MOST_JUDGED = 1000
_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)


def study(
    mails: Sequence[Labelled], seed: int = 0, model: str = "boolean", smoothing: float = 0.1, stop_words: int = 0
) -> Section:
    """Train on ever more of four fifths of the mails, test on the other fifth, never on what was trained on.

    The `stop_words` words that stand in most training mails are left out of all mails, as the notes do.
    """
    test_size = len(mails) // 5
    train, test = divided(_messages(mails), (len(mails) - test_size, test_size), seed)
    random.Random(seed).shuffle(train)  # else the curve would show the order of the mails as well
    if stop_words:
        train, test = _without_common(train, test, stop_words)
    sizes = [n for n in _SIZES if n < len(train)] + [len(train)]
    learner, rows, at = word_model(model, smoothing), [], 0
    for size in sizes:
        for x, label in train[at:size]:
            learner.learn_one(x, label)
        at = size
        rows.append((size, accuracy(learner, train[max(0, size - _MOST_JUDGED) : size]), accuracy(learner, test)))
    low, high = wilson(round(rows[-1][2] * len(test)), len(test))
    left_out = f" The {stop_words} most common words are left out." if stop_words else ""
    return Section(
        "Learning curve",
        (
            f"{model.capitalize()} model, lambda {smoothing:g}: {len(train):,} training mails and {len(test):,} test "
            f"mails, drawn with seed {seed}.{left_out} Training accuracy is that on the last {_MOST_JUDGED:,} "
            "training mails at most.",
            f"After {rows[0][0]} mails the model is right on {rows[0][1]:.1%} of its training mails and "
            f"{rows[0][2]:.1%} of the test mails (the gap is overfitting); at the end on {rows[-1][1]:.1%} and "
            f"{rows[-1][2]:.1%} (95 % interval {low:.1%} to {high:.1%}).",
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


def _messages(mails: Sequence[Labelled]) -> list[tuple[Any, Label]]:
    return [(mail.mail, mail.label) for mail in mails]


def _without_common(train: list, test: list, most: int) -> tuple[list, list]:
    """Both parts as word counts, without the words that stand in most training mails."""
    train = [(word_counts(mail), label) for mail, label in train]
    test = [(word_counts(mail), label) for mail, label in test]
    common = {word for word, _ in Counter(word for x, _ in train for word in x).most_common(most)}
    return tuple(
        [({word: n for word, n in x.items() if word not in common}, label) for x, label in part]
        for part in (train, test)
    )


def accuracy(model: Any, messages: Sequence[tuple[Any, Label]]) -> float:
    """The share of messages whose label the model gives."""
    return sum(model.predict_one(x) == label for x, label in messages) / len(messages)
