"""Regret: how much worse a learner decides than the best possible rule, the truth being known. Row Q10; note 004."""

from __future__ import annotations

import math

import numpy as np

from stream_nb import MultinomialNB
from stream_nb.generative.sampler import Sampler, bayes_error, conditional_error

from .charts import line_chart
from .report import Section

_TRUTH = (
    ("free money offer free lottery money account", "spam"),
    ("meeting money account report offer schedule report", "ham"),
    ("schedule meeting noon report free account", "ham"),
)


def study(truth: MultinomialNB | None = None, seed: int = 0, length: float = 4.0, judged: int = 1000) -> Section:
    """Train a learner on ever more messages drawn from `truth`; judge it on fresh ones by the true posterior.

    Without a truth, a small one over a dozen words. `length` is the mean number of words a message.
    """
    if truth is None:
        truth = MultinomialNB()
        for text, label in _TRUTH:
            truth.learn_one(text, label)
    sampler, rng = Sampler(truth, length), np.random.default_rng(seed)
    fresh = [x for x, _ in sampler.draw(rng, judged)]
    least = bayes_error(truth, fresh)
    learner, rows, at = MultinomialNB(), [], 0
    for size in (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000):
        for x, label in sampler.draw(rng, size - at):
            learner.learn_one(x, label)
        at = size
        error = math.fsum(conditional_error(truth, x, learner.predict_one(x)) for x in fresh) / judged
        rows.append((size, error, error - least))
    return Section(
        "Regret against the Bayes risk",
        (
            f"Messages of {length:g} words on average are drawn from a known model, so P(y | x) is known. The best "
            f"possible rule errs on {least:.2%} of {judged} fresh messages (the Bayes risk): some messages are simply "
            "ambiguous. No rule can be below that line; the learner nears it as its estimates tend to the truth.",
        ),
        ((("training messages", "expected error", "regret"), rows),),
        (
            line_chart(
                {"learner": [(n, e) for n, e, _ in rows], "Bayes risk": [(n, least) for n, _, _ in rows]},
                "training messages",
                "expected error",
                log_x=True,
            ),
        ),
        {"rows": rows, "bayes_risk": least},
    )
