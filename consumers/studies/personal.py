"""A filter for one person's mail: train, choose by validation, test once, report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from stream_nb import MailNB
from stream_nb.metrics import Ranking, best_accuracy, losing_at_most, wilson
from stream_nb.types import Label

from ..errors import UserError
from .charts import line_chart
from .corpus import Labelled, divided
from .models import one_minus_auc_pct
from .report import Section

LAMBDAS = (0.01, 0.03, 0.1, 0.3, 1.0)


class Choice(NamedTuple):
    """A smoothing and a threshold, and how they did in validation: log-odds above `threshold` are positive."""

    smoothing: float
    threshold: float
    accuracy: float
    one_minus_auc_pct: float


def study(
    mails: Sequence[Labelled],
    sizes: tuple[int, int, int] = (400, 50, 50),
    positive: Label = "spam",
    max_fpr: float | None = None,
    seed: int = 0,
) -> list[Section]:
    """Train on the first sample, choose smoothing and threshold on the second, test on the third.

    Args:
        mails: The mails.
        sizes: Mails for training, validation and test, each 2 or more.
        positive: The class to find.
        max_fpr: Lose at most this share (0 to 1) of the other mail in validation; None for the threshold with fewest
            errors there.
        seed: Seed of the division.

    Raises:
        UserError: There are too few mails, or a part has not both classes.
    """
    train, validation, test = divided(list(mails), sizes, seed)
    for name, part in (("training", train), ("validation", validation), ("test", test)):
        if len({label == positive for _, label, _ in part}) < 2:
            raise UserError(f"the {name} mails are all of one kind: give mails of {positive!r} and of another class")
    model = MailNB(positive=positive)
    for mail, label, _ in train:
        model.learn_one(mail, label)
    choices = [_choice(model, value, validation, positive, max_fpr) for value in LAMBDAS]
    # fewest errors first; among equals the better ranking, then the lambda nearest the default
    chosen = max(choices, key=lambda c: (c.accuracy, -c.one_minus_auc_pct, -abs(math.log(c.smoothing / 0.1))))
    model.smoothing = chosen.smoothing
    scores = [(model.score(mail).log_odds, label == positive) for mail, label, _ in test]
    return [_setting(sizes, choices, chosen, positive, max_fpr), _result(scores, chosen, positive)]


def _choice(
    model: MailNB, smoothing: float, mails: Sequence[Labelled], positive: Label, max_fpr: float | None
) -> Choice:
    model.smoothing = smoothing
    ranking = Ranking()
    for mail, label, _ in mails:
        ranking.add(model.score(mail).log_odds, label == positive)
    points = ranking.roc()
    point = best_accuracy(points) if max_fpr is None else losing_at_most(points, max_fpr)
    # any threshold between two scores does the same here; halfway is the safest for other mail
    lower = points[points.index(point) + 1].threshold if point is not points[-1] else point.threshold - 2.0
    threshold = lower + 1.0 if math.isinf(point.threshold) else (point.threshold + lower) / 2
    errors = point.false_positives + ranking.positives - point.true_positives
    return Choice(smoothing, threshold, 1 - errors / len(mails), one_minus_auc_pct(ranking))


def _setting(
    sizes: tuple[int, int, int], choices: list[Choice], chosen: Choice, positive: Label, max_fpr: float | None
) -> Section:
    rule = "fewest errors" if max_fpr is None else f"at most {max_fpr:.1%} of the other mail lost"
    return Section(
        "Chosen on the validation mails",
        (
            f"{sizes[0]} mails for training, {sizes[1]} for validation, {sizes[2]} for the test, drawn at random "
            "without overlap. All rows are of one training: smoothing and threshold are applied when reading.",
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
    rows = [(name, k / n if n else math.nan, *wilson(k, n)) for name, k, n in shares]
    rows = [(name, "-" if math.isnan(value) else value, low, high) for name, value, low, high in rows]
    ranking = Ranking()
    for log_odds, truth in scores:
        ranking.add(log_odds, truth)
    auc = one_minus_auc_pct(ranking)
    curve = line_chart(
        {"test mails": [(p.fpr, p.tpr) for p in ranking.roc()]},
        "other mail lost (share)",
        f"{positive} caught (share)",
    )
    return Section(
        "Result on the test mails",
        (
            f"{len(outcomes)} mails that took no part in training or validation. With so few mails the true values are "
            "uncertain: they are within the intervals (Wilson) with 95 % confidence.",
            f"(1 - AUC) {auc:.3g} %.",
        ),
        (
            (("measure", "value", "from", "to"), rows),
            (("", f"predicted {positive}", "predicted other"), [(positive, tp, fn), ("other", fp, tn)]),
        ),
        (curve,),
        {"accuracy": (tp + tn) / len(outcomes), "confusion": (tp, fp, fn, tn), "one_minus_auc_pct": auc},
    )
