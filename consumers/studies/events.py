"""Three event models of words on one stream: multinomial, boolean, Bernoulli.

Source: McCallum and Nigam, A comparison of event models for naive Bayes text classification (1998).
"""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb import BernoulliNB, MultinomialNB
from stream_nb.metrics import Ranking, best_accuracy
from stream_nb.text.base import TextNB

from ..records.values import Label
from .charts import Annotation, Point, line_chart
from .corpus import Labelled, positive_class
from .models import one_minus_auc_pct
from .report import Section


def study(mails: Sequence[Labelled], positive: Label = "spam", smoothing: float = 0.1) -> Section:
    """Test, then train, on each mail; the three models read the same counts with the same lambda.

    Args:
        positive: The class to detect.
        smoothing: lambda, 0 or more, in messages.

    Raises:
        UserError: No mail is of the positive class, or all are.
    """
    positive_class(mails, positive)
    counts = MultinomialNB(smoothing=smoothing, positive=positive)
    models: dict[str, TextNB] = {
        "multinomial": counts,
        "boolean": MultinomialNB.reading(counts, smoothing=smoothing, positive=positive, presence=True),
        "Bernoulli": BernoulliNB.reading(counts, smoothing=smoothing, positive=positive),
    }
    ranks, correct = {name: Ranking() for name in models}, dict.fromkeys(models, 0)
    for mail, label in mails:
        for name, model in models.items():
            score = model.score(mail)
            correct[name] += score.label == label
            ranks[name].add(score.log_odds, label == positive)
        counts.learn_one(mail, label)
    rows: list[tuple[str, float, float, float, float, float]] = []
    curves: dict[str, list[Point]] = {}
    notes: list[Annotation] = []
    for name, ranking in ranks.items():
        points = ranking.roc()
        zero, best = [point for point in points if point.threshold > 0.0][-1], best_accuracy(points)
        accuracy = correct[name] / len(mails)
        rows.append((name, accuracy, one_minus_auc_pct(ranking), zero.fpr, zero.tpr, best.threshold))
        curves[name] = [(point.fpr, point.tpr) for point in points]
        notes.append(Annotation(zero.fpr, zero.tpr, f"{name} at 0", name, len(curves)))
        notes.append(Annotation(best.fpr, best.tpr, f"{name} at {best.threshold:+.1f}", name, 4 + len(curves)))
    first = min(rows, key=lambda row: row[2])
    lost, caught = "other mail lost (share)", f"{positive} caught (share)"
    head = ("model", "accuracy", "(1 - AUC) %", "other mail lost at 0", f"{positive} caught at 0", "best threshold")
    return Section(
        "Bernoulli, boolean and multinomial",
        (
            f"The counts of {len(mails):,} mails, each scored before it is learned, read in three ways with lambda "
            f"{smoothing:g}: how often a word occurs (multinomial), whether it occurs (boolean), and also which known "
            f"words are missing (Bernoulli). Best ranking here: {first[0]}, (1 - AUC) {first[2]:.3g} %.",
            "The circles on each curve are at log-odds of 0 and at the threshold with fewest errors. A lower threshold "
            f"moves along a curve to the right and up: more {positive} caught, more other mail lost. The second "
            "picture shows the left edge in detail, which matters most for mail.",
        ),
        ((head, rows),),
        (
            line_chart(curves, lost, caught),
            line_chart(curves, lost, caught, log_x=True, annotations=notes),
        ),
        {"rows": rows},
    )
