"""Regret: the extra error of a learner over the best possible rule for a known truth.

Source: Devroye, Györfi and Lugosi, A Probabilistic Theory of Pattern Recognition (1996), chapter 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stream_nb import MultinomialNB
from stream_nb.generative.sampler import Sampler
from stream_nb.types import Mail, Part

from ..records.number_text import percent
from ..records.values import Label
from .charts import Line, line_chart
from .corpus import Labelled, positive_class, word_counts
from .report import Section

_TRUTH = (
    ("free money offer free lottery money account", "spam"),
    ("meeting money account report offer schedule report", "ham"),
    ("schedule meeting noon report free account", "ham"),
)
_SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def study(
    mails: Sequence[Labelled] | None = None,
    seed: int = 0,
    positive: Label = "spam",
    length: float = 4.0,
    tested: int = 1000,
) -> Section:
    """Train a learner on growing numbers of messages drawn from a truth; compute its error on others from the true
    posterior.

    Args:
        mails: The truth is a multinomial model of their words; None for a small one of a dozen words.
        seed: Seed of all draws.
        positive: The class to detect; all other classes count as one.
        length: Mean number of words of a drawn message, above 0.
        tested: Number of messages for the test, 1 or more.

    Raises:
        UserError: No mail is of the positive class, or all are.
    """
    if mails is None:
        mails = [Labelled(Mail((Part("", text.encode()),)), label) for text, label in _TRUTH]
    positive_class(mails, positive)
    truth = MultinomialNB()
    for mail, label in mails:
        truth.learn_one(word_counts(mail), label)
    sampler, rng = Sampler(truth, length), np.random.default_rng(seed)
    fresh = [(x, truth.predict_proba_one(x)[positive]) for x, _ in sampler.draw(rng, tested)]
    least = math.fsum(min(chance, 1 - chance) for _, chance in fresh) / tested
    learner, learned = MultinomialNB(), 0
    rows: list[tuple[int, float, float]] = []
    for size in _SIZES:
        for x, label in sampler.draw(rng, size - learned):
            learner.learn_one(x, label)
        learned = size
        predicted = [(learner.predict_proba_one(x).get(positive, 0.0) > 0.5, chance) for x, chance in fresh]
        error = math.fsum(1 - chance if is_positive else chance for is_positive, chance in predicted) / tested
        rows.append((size, error, error - least))
    return Section(
        "Regret against the Bayes risk",
        (
            f"Messages of {length:g} words on average are drawn from a known model (seed {seed}), so P({positive} | "
            f"x) is known. The best possible rule errs on {percent(least)} of {tested:,} other messages (the Bayes "
            f"risk): some messages are ambiguous. No rule can be below that line. The learner's regret is "
            f"{percent(rows[0][2])} after {rows[0][0]} messages and {percent(rows[-1][2])} after {rows[-1][0]:,}.",
        ),
        ((("training messages", "expected error", "regret"), rows),),
        (
            line_chart(
                {
                    "learner": [(n, e) for n, e, _ in rows],
                    "Bayes risk": Line([(n, least) for n, _, _ in rows], dashed=True),
                },
                "training messages (number)",
                "expected error (share of messages)",
                log_x=True,
            ),
        ),
        {"rows": rows, "bayes_risk": least},
    )
