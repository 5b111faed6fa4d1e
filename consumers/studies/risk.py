"""Regret: how much worse a learner decides than the best possible rule, the truth being known. Row Q10; note 004."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stream_nb import MultinomialNB
from stream_nb.generative.sampler import Sampler
from stream_nb.types import Label, Mail, Part

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
    judged: int = 1000,
) -> Section:
    """Train a learner on ever more messages drawn from a truth; judge it on fresh ones by the true posterior.

    The truth is a multinomial model of the words of `mails`, or without them a small one over a dozen words. `length`
    is the mean number of words a message. Wrong is to call positive what is of another class, or the reverse. Raises
    UserError when no mail is of the positive class.
    """
    if mails is None:
        mails = [Labelled(Mail((Part("", text.encode()),)), label) for text, label in _TRUTH]
    positive_class(mails, positive)
    truth = MultinomialNB(positive=positive)
    for mail, label, _ in mails:
        truth.learn_one(word_counts(mail), label)
    sampler, rng = Sampler(truth, length), np.random.default_rng(seed)
    fresh = [(x, truth.predict_proba_one(x)[positive]) for x, _ in sampler.draw(rng, judged)]
    least = math.fsum(min(chance, 1 - chance) for _, chance in fresh) / judged
    learner, rows, at = MultinomialNB(positive=positive), [], 0
    for size in _SIZES:
        for x, label in sampler.draw(rng, size - at):
            learner.learn_one(x, label)
        at = size
        called = [(learner.log_odds_one(x, positive) > 0, chance) for x, chance in fresh]
        error = math.fsum(1 - chance if is_called else chance for is_called, chance in called) / judged
        rows.append((size, error, error - least))
    return Section(
        "Regret against the Bayes risk",
        (
            f"Messages of {length:g} words on average are drawn from a known model (seed {seed}), so P({positive} | "
            f"x) is known. The best possible rule errs on {least:.2%} of {judged:,} fresh messages (the Bayes risk): "
            f"some messages are simply ambiguous. No rule can be below that line. After {rows[-1][0]:,} messages the "
            f"learner's regret is {rows[-1][2]:.2%}, after {rows[0][0]} it was {rows[0][2]:.2%}.",
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
