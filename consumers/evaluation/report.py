"""The figures of a run: accuracy, ranking, precision, recall, F1 and the confusion matrix, counted once a mail."""

from __future__ import annotations

from typing import Protocol

import msgspec
from river import metrics

from stream_nb.metrics import Ranking, lam_pct, wilson

UNSCORED = "(none)"
"""What a confusion matrix calls the label of a mail that came before the model knew any class."""


class Report(msgspec.Struct, frozen=True):
    """Figures over `n` mails with a known label. Shares are 0 to 1, names with pct are percent.

    Precision, recall, F1, (1-AUC)% and LAM% speak of `positive`; None where a class has no mail. `unscored` mails
    came before the model knew any class: they count as wrong, but have no rank. `confusion` is true label -> label
    given -> mails.
    """

    n: int
    positive: str
    accuracy: float | None
    accuracy_low: float
    accuracy_high: float
    one_minus_auc_pct: float | None
    lam_pct: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    confusion: dict[str, dict[str, int]]
    unscored: int = 0
    mails_per_s: float | None = None


class RankingCounts(Protocol):
    """What ranks scores: `stream_nb.metrics.Ranking`, or something that counts like it."""

    def add(self, score: float, is_positive: bool) -> None:
        """Count a score."""

    def remove(self, score: float, is_positive: bool) -> None:
        """Take back a score counted before."""

    def one_minus_auc_pct(self) -> float | None:
        """100 (1 - AUC); None while either class has no mail."""


class Figures:
    """Counts (true label, label given, log-odds of the positive class), one mail at a time."""

    def __init__(self, positive: str, ranking: RankingCounts | None = None) -> None:
        self._positive = positive
        self._matrix = metrics.ConfusionMatrix()
        self._ranking: RankingCounts = Ranking() if ranking is None else ranking

    def update(self, truth: str, given: str | None, log_odds: float) -> None:
        """Count one mail. Before the first label a model gives None: that is never right, and it has no rank."""
        self._matrix.update(truth, UNSCORED if given is None else given)
        if given is not None:
            self._ranking.add(log_odds, truth == self._positive)

    def revert(self, truth: str, given: str | None, log_odds: float) -> None:
        """Take back one mail counted before."""
        self._matrix.revert(truth, UNSCORED if given is None else given)
        if given is not None:
            self._ranking.remove(log_odds, truth == self._positive)

    def restore(self, confusion: dict[str, dict[str, int]]) -> None:
        """Take over a confusion matrix as reported; the ranking is the caller's."""
        for truth, row in confusion.items():
            for given, count in row.items():
                self._matrix.update(truth, given, w=count)
                self._matrix.n_samples += count - 1

    def report(self, mails_per_s: float | None = None) -> Report:
        """The figures so far."""
        matrix = self._matrix
        n = int(matrix.n_samples)
        positive = self._positive
        confusion = {
            truth: {given: int(count) for given, count in row.items() if count} for truth, row in matrix.data.items()
        }
        hits = sum(row.get(truth, 0) for truth, row in confusion.items())
        low, high = wilson(hits, n)
        caught = confusion.get(positive, {}).get(positive, 0)
        positives = sum(confusion.get(positive, {}).values())
        false_alarms = sum(row.get(positive, 0) for truth, row in confusion.items() if truth != positive)
        precision = metrics.Precision(cm=matrix, pos_val=positive)
        recall = metrics.Recall(cm=matrix, pos_val=positive)
        f1 = metrics.F1(cm=matrix, pos_val=positive)
        return Report(
            n=n,
            positive=positive,
            accuracy=metrics.Accuracy(cm=matrix).get() if n else None,
            accuracy_low=low,
            accuracy_high=high,
            one_minus_auc_pct=self._ranking.one_minus_auc_pct(),
            lam_pct=lam_pct(false_alarms, n - positives, positives - caught, positives),
            precision=precision.get() if caught + false_alarms else None,
            recall=recall.get() if positives else None,
            f1=f1.get() if positives else None,
            confusion=confusion,
            unscored=sum(row.get(UNSCORED, 0) for row in confusion.values()),
            mails_per_s=mails_per_s,
        )


def render(report: Report) -> str:
    """The figures as a table for people."""

    def show(value: float | None, factor: float = 1.0, digits: int = 2) -> str:
        return "-" if value is None else f"{factor * value:.{digits}f}"

    lines = [
        f"mails       {report.n}" + (f"   ({report.unscored} before the first label)" if report.unscored else ""),
        f"accuracy    {show(report.accuracy, 100)} %   (95 % interval {100 * report.accuracy_low:.2f} to "
        f"{100 * report.accuracy_high:.2f})",
        f"(1-AUC)     {show(report.one_minus_auc_pct, digits=4)} %",
        f"LAM         {show(report.lam_pct)} %",
        f"precision   {show(report.precision, 100)} %   of {report.positive}",
        f"recall      {show(report.recall, 100)} %",
        f"F1          {show(report.f1, 100)} %",
    ]
    if report.mails_per_s is not None:
        lines.append(f"speed       {report.mails_per_s:.0f} mails/s")
    given = sorted({label for row in report.confusion.values() for label in row})
    width = max([len(label) for label in (*given, *report.confusion)] + [7]) + 2
    lines += ["", "true \\ given".ljust(14) + "".join(label.rjust(width) for label in given)]
    for truth in sorted(report.confusion):
        row = report.confusion[truth]
        lines.append(truth.ljust(14) + "".join(str(row.get(label, 0)).rjust(width) for label in given))
    return "\n".join(lines)
