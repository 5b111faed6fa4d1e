"""Three event models of words on one stream: multinomial, boolean, Bernoulli. Rows M1, M2, M3, Q2; note 000."""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb import BernoulliNB, MultinomialNB
from stream_nb.metrics import Ranking, best_accuracy
from stream_nb.types import Label

from .charts import Mark, line_chart
from .corpus import Labelled, positive_class
from .report import Section


def study(mails: Sequence[Labelled], positive: Label = "spam", smoothing: float = 0.1) -> Section:
    """Test-then-train once; the three models read the same counts. Raises UserError for a class that is not there."""
    positive_class(mails, positive)
    counts = MultinomialNB(smoothing=smoothing, positive=positive)
    models = {
        "multinomial": counts,
        "boolean": MultinomialNB.reading(counts, smoothing=smoothing, positive=positive, presence=True),
        "Bernoulli": BernoulliNB.reading(counts, smoothing=smoothing, positive=positive),
    }
    ranks, right = {name: Ranking() for name in models}, dict.fromkeys(models, 0)
    for mail, label, _ in mails:
        for name, model in models.items():
            score = model.score(mail)
            right[name] += score.label == label
            ranks[name].add(score.log_odds, label == positive)
        counts.learn_one(mail, label)
    rows, curves, marks = [], {}, []
    for name, ranking in ranks.items():
        points = ranking.roc()
        zero, best = [point for point in points if point.threshold > 0.0][-1], best_accuracy(points)
        accuracy = right[name] / len(mails)
        rows.append((name, accuracy, ranking.one_minus_auc_pct(), zero.fpr, zero.tpr, best.threshold))
        curves[name] = [(point.fpr, point.tpr) for point in points]
        marks.append(Mark(zero.fpr, zero.tpr, f"{name} at 0", name, len(curves)))
        marks.append(Mark(best.fpr, best.tpr, f"{name} at {best.threshold:+.1f}", name, 4 + len(curves)))
    first = min(rows, key=lambda row: row[2])
    lost, caught = "other mail lost (share)", f"{positive} caught (share)"
    head = ("model", "accuracy", "(1 - AUC) %", "other mail lost at 0", f"{positive} caught at 0", "best threshold")
    return Section(
        "Bernoulli, boolean and multinomial",
        (
            f"One training of {len(mails):,} mails, each scored before it is learned, read in three ways with lambda "
            f"{smoothing:g}: how often a word occurs (multinomial), whether it occurs (boolean), and which known "
            f"words are missing as well (Bernoulli). Best ranking here: {first[0]}, (1 - AUC) {first[2]:.3g} %.",
            "Marked on each curve are log-odds of 0 and the threshold with fewest errors. A lower threshold moves "
            f"along a curve to the right and up: more {positive} caught, more other mail lost. The second picture "
            "spreads the left edge, which is what matters for mail.",
        ),
        ((head, rows),),
        (
            line_chart(curves, lost, caught),
            line_chart(curves, lost, caught, log_x=True, marks=marks),
        ),
        {"rows": rows},
    )
