"""A filter for one person's mail: train, choose by validation, test once, report, and return it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from stream_nb.mail_nb.decision import Policy
from stream_nb.metrics import Ranking, best_accuracy, losing_at_most, wilson
from stream_nb.types import Mail, Update

from ..model.stream_model import StreamModel
from ..records.values import Label
from .charts import line_chart
from .corpus import Labelled, divided_with_both, name_of_others
from .models import one_minus_auc_pct
from .parts import Sizes, part_sizes
from .report import Section
from .titles import text_of, title_of

LAMBDAS = (0.01, 0.03, 0.1, 0.3, 1.0)
LUCK = 0.05
"""Significance level: a threshold that wins in validation by chance with at least this probability is rejected."""
MAX_SHOWN = 100


class Choice(NamedTuple):
    """A smoothing and a threshold, with their validation results; log-odds above `threshold` are positive."""

    smoothing: float
    threshold: float
    accuracy: float
    one_minus_auc_pct: float


class Trial(NamedTuple):
    """The report's sections, and the tested filter.

    `learned` has the training mails with their updates of the model; log-odds above `threshold` are positive.
    """

    sections: list[Section]
    model: StreamModel
    threshold: float
    learned: list[tuple[Mail, Update]]


def study(
    mails: Sequence[Labelled],
    model: StreamModel,
    sizes: Sizes = (None, None, None),
    lose_at_most: float | None = None,
    seed: int = 0,
) -> Trial:
    """Train on the first sample, choose smoothing and threshold on the second, test on the third.

    Args:
        model: An empty model, or one with a starter's counts; it learns the training mails and gets the chosen
            smoothing. The class to detect is its `positive`.
        sizes: Mails for training, validation and test, each 2 or more or None (see `part_sizes`).
        lose_at_most: Lose at most this share (0 to 1) of the other mail in validation; None for the threshold with the
            fewest validation errors if it is significantly better than threshold 0, else for 0.
        seed: Seed of the split.

    Raises:
        UserError: There are too few mails, in all, of the positive class or of others.
    """
    used = part_sizes(sizes, len(mails))
    positive = model.positive
    train, validation, test = divided_with_both(mails, used, positive, seed)
    learned: list[tuple[Mail, Update]] = []
    for mail, label in train:
        learned.append((mail, model.grade(mail, label)))
        model.apply_update(*learned[-1])
    choices = [_choice(model, value, validation, lose_at_most) for value in LAMBDAS]
    # fewest errors; among equals the better ranking, then the lambda closest to the default
    chosen = max(choices, key=lambda c: (c.accuracy, -c.one_minus_auc_pct, -abs(math.log(c.smoothing / 0.1))))
    model.smoothing = chosen.smoothing
    scores = _scores(model, test)
    sections = [
        _setting(_division(used, sizes), choices, chosen, positive, lose_at_most),
        _result(scores, chosen, positive),
        _misfiled(model, chosen.threshold, test),
    ]
    return Trial(sections, model, chosen.threshold, learned)


def _choice(model: StreamModel, smoothing: float, mails: Sequence[Labelled], lose_at_most: float | None) -> Choice:
    model.smoothing = smoothing
    scores = _scores(model, mails)
    ranking = _ranked(scores)
    points = ranking.roc()
    point = best_accuracy(points) if lose_at_most is None else losing_at_most(points, lose_at_most)
    # any threshold between two scores decides the same here; the middle is the safest for other mail
    lower = points[points.index(point) + 1].threshold if point is not points[-1] else point.threshold - 2.0
    threshold = lower + 1.0 if math.isinf(point.threshold) else (point.threshold + lower) / 2
    if lose_at_most is None and not wins(scores, threshold):
        threshold = 0.0
    hits = sum((score > threshold) == truth for score, truth in scores)
    return Choice(smoothing, threshold, hits / len(mails), one_minus_auc_pct(ranking))


def _scores(model: StreamModel, mails: Sequence[Labelled]) -> list[tuple[float, bool]]:
    """The log-odds of each mail, and whether it is positive."""
    return [(model.score(mail).log_odds, label == model.positive) for mail, label in mails]


def _ranked(scores: Sequence[tuple[float, bool]]) -> Ranking:
    ranking = Ranking()
    for log_odds, is_positive in scores:
        ranking.add(log_odds, is_positive)
    return ranking


def wins(scores: Sequence[tuple[float, bool]], threshold: float) -> bool:
    """Whether a threshold makes significantly fewer errors than the model's own, 0 (sign test).

    Args:
        scores: Log-odds of mails, and whether each is positive.
        threshold: In log-odds; scores above it are positive.

    >>> wins([(0.5, False)] * 5, 1.0), wins([(0.5, False)] * 4, 1.0)
    (True, False)
    """
    low, high = sorted((0.0, threshold))
    moved = [truth for score, truth in scores if low < score <= high]
    better = moved.count(threshold < 0.0)
    ways = sum(math.comb(len(moved), k) for k in range(better, len(moved) + 1))
    return ways <= LUCK * 2 ** len(moved)


def _division(used: tuple[int, int, int], asked: Sizes) -> str:
    counts = f"{used[0]:,} mails for training, {used[1]:,} for validation, {used[2]:,} for the test"
    text = f"{counts}, drawn at random without overlap."
    if all(want in (None, size) for size, want in zip(used, asked, strict=True)):
        return text
    return f"{text} There are fewer mails than asked for, so they are split in the same proportions."


def _setting(
    division: str, choices: list[Choice], chosen: Choice, positive: Label, lose_at_most: float | None
) -> Section:
    won = "fewest errors" if chosen.threshold else "no other makes significantly fewer errors"
    rule = won if lose_at_most is None else f"at most {100 * lose_at_most:g}% of the other mail lost"
    return Section(
        "Chosen on the validation mails",
        (
            f"{division} All rows use the same training: smoothing and threshold are applied when counts are read.",
            f"Chosen: lambda {chosen.smoothing:g}; {positive} above log-odds {chosen.threshold:.3f} ({rule}).",
        ),
        ((("lambda", "threshold", "validation accuracy", "validation (1 - AUC) %"), choices),),
        (),
        {"chosen": chosen},
    )


def _result(scores: list[tuple[float, bool]], chosen: Choice, positive: Label) -> Section:
    outcomes = [(log_odds > chosen.threshold, truth) for log_odds, truth in scores]
    tp, fp = outcomes.count((True, True)), outcomes.count((True, False))
    fn, tn = outcomes.count((False, True)), outcomes.count((False, False))
    shares = [
        ("accuracy", tp + tn, len(outcomes)),
        ("precision", tp, tp + fp),
        ("recall", tp, tp + fn),
        ("other mail lost", fp, fp + tn),
    ]
    rows = [(name, k / n if n else "-", *wilson(k, n)) for name, k, n in shares]
    others = name_of_others(positive)
    ranking = _ranked(scores)
    auc = one_minus_auc_pct(ranking)
    curve = line_chart(
        {"test mails": [(p.fpr, p.tpr) for p in ranking.roc()]},
        "other mail lost (share)",
        f"{positive} caught (share)",
    )
    return Section(
        "Result on the test mails",
        (
            f"{len(outcomes):,} mails that took no part in training or validation. The true values are within the "
            "intervals (Wilson) with 95 % confidence.",
            f"(1 - AUC) {auc:.3g} %.",
        ),
        (
            (("measure", "value", "from", "to"), rows),
            (("", f"predicted {positive}", f"predicted {others}"), [(positive, tp, fn), (others, fp, tn)]),
        ),
        (curve,),
        {"accuracy": (tp + tn) / len(outcomes), "confusion": (tp, fp, fn, tn), "one_minus_auc_pct": auc},
    )


def _misfiled(model: StreamModel, threshold: float, test: Sequence[Labelled]) -> Section:
    """The test mails whose prediction differs from their label, with the same rule as in the saved filter."""
    policy = Policy(model.positive)
    wrong: list[tuple[float, tuple[str, str, Label, Label | None, float]]] = []
    for mail, label in test:
        score = model.score(mail)
        predicted = policy.decide(score, threshold)
        if predicted != label:
            row = (title_of(mail), text_of(mail, "from"), label, predicted, score.probability)
            sureness = abs(score.log_odds - threshold)
            if predicted is not None and model.positive not in (label, predicted):
                scores = score.scores
                sureness = scores[predicted] - scores.get(label, min(scores.values()))
            wrong.append((sureness, row))
    rows = [row for _, row in sorted(wrong, key=lambda one: -one[0])]
    title = "Misfiled test mails"
    if not rows:
        return Section(title, ("None.",))
    head = ("subject", "from", "label", "predicted", f"probability of {model.positive}")
    counted_right = sum(model.positive not in row[2:4] for row in rows)
    but = f" {counted_right} of them are rightly not {model.positive}; the figures above count these as right."
    text = (
        f"{len(rows):,} of {len(test):,}; log-odds above the threshold decide, whatever the probability."
        f"{but if counted_right else ''}",
        "First check whether their labels are right. Those of which the filter was surest come first"
        f"{f'; the first {MAX_SHOWN} are shown' if len(rows) > MAX_SHOWN else ''}.",
    )
    return Section(title, text, ((head, rows[:MAX_SHOWN]),), (), {"misfiled": rows})
