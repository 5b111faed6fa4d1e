"""The figures of a run: accuracy, ranking, precision, recall, F1 and the confusion matrix."""

from __future__ import annotations

from typing import Protocol

import msgspec

from stream_nb.metrics import Ranking, lam_pct, wilson

from ..records.number_text import percentage, share_percentage
from ..records.values import UNSCORED, Label

_CORNER = "true \\ predicted"
_WIDEST = 160
"""Maximal width of a table on a terminal; wider ones are unreadable."""
_MOST_MISTAKES = 20


class Report(msgspec.Struct, frozen=True):
    """Figures over `n` mails with a known label. Shares are from 0 to 1; names with pct are percentages.

    Precision, recall, F1, (1-AUC)% and LAM% are for the class `positive`, and None if undefined without mails of a
    class. `unscored` mails arrived before the model knew any class: they count as wrong and are not ranked. Those that
    arrived before it knew `positive` and another class are ranked at log-odds 0. `confusion` is true label -> predicted
    label -> mails.
    """

    n: int
    positive: Label
    accuracy: float | None
    accuracy_low: float
    accuracy_high: float
    one_minus_auc_pct: float | None
    lam_pct: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    confusion: dict[Label, dict[Label, int]]
    unscored: int = 0
    mails_per_s: float | None = None


class RankingCounts(Protocol):
    """The interface of a ranking, such as `stream_nb.metrics.Ranking`."""

    def add(self, score: float, is_positive: bool) -> None:
        """Count the `score` (log-odds, from -inf to inf) of a mail; `is_positive` if it is of the positive class."""

    def remove(self, score: float, is_positive: bool) -> None:
        """Remove a mail counted before; `score` and `is_positive` are as they were for `add`."""

    def one_minus_auc_pct(self) -> float | None:
        """100 (1 - AUC); None while either class has no mail."""


class RunningReport:
    """Computes the figures one mail at a time, from its true label, its predicted label and its log-odds.

    `n` is the number of mails. It, `accuracy` and `confusion` are cheap; `report` reads the whole ranking.

    Args:
        positive: The class for precision, recall, F1 and the ranking.
        ranking: An empty ranking; None for an exact `Ranking`.
    """

    def __init__(self, positive: Label, ranking: RankingCounts | None = None) -> None:
        self.n = 0
        self._hits = 0
        self._positive = positive
        self._confusion: dict[Label, dict[Label, int]] = {}
        self._ranking: RankingCounts = Ranking() if ranking is None else ranking

    @property
    def accuracy(self) -> float | None:
        """The share of mails whose predicted label is the true one; None without mails."""
        return _share(self._hits, self.n)

    @property
    def confusion(self) -> dict[Label, dict[Label, int]]:
        """A copy of the confusion matrix: true label -> predicted label -> mails."""
        return {true_label: dict(row) for true_label, row in self._confusion.items()}

    def update(self, true_label: Label, label: Label | None, log_odds: float) -> None:
        """Count a mail.

        Args:
            true_label: The label given by people.
            label: The predicted label; None before the model knew any class, which counts as wrong and is not ranked.
            log_odds: The log-odds of the positive class.
        """
        self._count(true_label, UNSCORED if label is None else label, 1)
        if label is not None:
            self._ranking.add(log_odds, true_label == self._positive)

    def revert(self, true_label: Label, label: Label | None, log_odds: float) -> None:
        """Remove a mail counted before; `true_label`, `label` and `log_odds` are as they were for `update`."""
        self._count(true_label, UNSCORED if label is None else label, -1)
        if label is not None:
            self._ranking.remove(log_odds, true_label == self._positive)

    def holds(self, true_label: Label, label: Label | None) -> bool:
        """Whether a mail is counted with this `true_label` and predicted `label`."""
        return self._confusion.get(true_label, {}).get(UNSCORED if label is None else label, 0) > 0

    def restore(self, confusion: dict[Label, dict[Label, int]]) -> None:
        """Add the mails of a `confusion` matrix, as in a `Report`; the caller restores the ranking."""
        for true_label, row in confusion.items():
            for label, count in row.items():
                self._count(true_label, label, count)

    def report(self, mails_per_s: float | None = None) -> Report:
        """The figures so far, with the throughput `mails_per_s`, if it was measured."""
        positive, confusion = self._positive, self.confusion
        low, high = wilson(self._hits, self.n)
        row_of_positive = confusion.get(positive, {})
        positives, true_positives = sum(row_of_positive.values()), row_of_positive.get(positive, 0)
        false_positives = sum(row.get(positive, 0) for true_label, row in confusion.items() if true_label != positive)
        errors = positives - true_positives + false_positives
        return Report(
            n=self.n,
            positive=positive,
            accuracy=self.accuracy,
            accuracy_low=low,
            accuracy_high=high,
            one_minus_auc_pct=self._ranking.one_minus_auc_pct(),
            lam_pct=lam_pct(false_positives, self.n - positives, positives - true_positives, positives),
            precision=_share(true_positives, true_positives + false_positives),
            recall=_share(true_positives, positives),
            f1=_share(2 * true_positives, 2 * true_positives + errors) if positives else None,
            confusion=confusion,
            unscored=sum(row.get(UNSCORED, 0) for row in confusion.values()),
            mails_per_s=mails_per_s,
        )

    def _count(self, true_label: Label, label: Label, mails: int) -> None:
        self.n += mails
        self._hits += mails * (true_label == label)
        row = self._confusion.setdefault(true_label, {})
        row[label] = row.get(label, 0) + mails
        if not row[label]:  # else the names of classes no longer in use would accumulate
            del row[label]
            if not row:
                del self._confusion[true_label]


def _share(part: int, total: int) -> float | None:
    return part / total if total else None


def render(report: Report) -> str:
    """The figures as a table for people, followed by the confusion matrix."""
    low, high = share_percentage(report.accuracy_low), share_percentage(report.accuracy_high)
    lines = [
        f"mails       {report.n}" + (f"   ({report.unscored} before the first label)" if report.unscored else ""),
        f"accuracy    {share_percentage(report.accuracy)} %   (95 % interval {low} to {high})",
        f"(1-AUC)     {percentage(report.one_minus_auc_pct, 4)} %",
        f"LAM         {percentage(report.lam_pct)} %",
        f"precision   {share_percentage(report.precision)} %   of {report.positive}",
        f"recall      {share_percentage(report.recall)} %",
        f"F1          {share_percentage(report.f1)} %",
    ]
    if report.mails_per_s is not None:
        lines.append(f"speed       {report.mails_per_s:.0f} mails/s")
    missing = _missing(report)
    if missing is not None:
        lines.append(f"            (-: {missing})")
    return "\n".join([*lines, *_confusion_lines(report.confusion)])


def _missing(report: Report) -> str | None:
    """Why figures are missing; None if none are."""
    positives = sum(report.confusion.get(report.positive, {}).values())
    if not report.n:
        return "no mail has both a score and a label"
    if not positives:
        return (f"no labelled mail is {report.positive}; name the class to compute figures for: [learner] positive, "
                "STREAM_NB_LEARNER_POSITIVE, or `evaluate --positive`")  # fmt: skip
    if positives == report.n:
        return f"all labelled mails are {report.positive}; there are no other mails to compare them with"
    return f"no mail was predicted to be {report.positive}" if report.precision is None else None


def _confusion_lines(confusion: dict[Label, dict[Label, int]]) -> list[str]:
    """The confusion matrix as a table with columns as wide as their headings; the most frequent mistakes if that is too
    wide; no lines without mails."""
    from rich.cells import cell_len

    labels = sorted({label for row in confusion.values() for label in row})
    if not labels:
        return []
    first = max(cell_len(text) for text in (_CORNER, *confusion)) + 2
    widths = [max(cell_len(label), 7) + 2 for label in labels]
    if first + sum(widths) > _WIDEST:
        return _mistake_lines(confusion)

    def line(name: str, cells: list[str]) -> str:
        padded = (" " * (width - cell_len(cell)) + cell for cell, width in zip(cells, widths, strict=True))
        return name + " " * (first - cell_len(name)) + "".join(padded)

    rows = [line(name, [str(row.get(label, 0)) for label in labels]) for name, row in sorted(confusion.items())]
    return ["", line(_CORNER, labels), *rows]


def _mistake_lines(confusion: dict[Label, dict[Label, int]]) -> list[str]:
    """The most frequent mistakes, one on each line."""
    mistakes = sorted(
        (-count, true_label, label) for true_label, row in confusion.items() for label, count in row.items()
        if label != true_label
    )  # fmt: skip
    lines = [f"{-count:7}  {true_label} -> {label}" for count, true_label, label in mistakes[:_MOST_MISTAKES]]
    more = len(mistakes) - len(lines)
    return ["", f"{'mails':>7}  true -> predicted", *lines, *([f"{'':7}  and {more} more, in --json"] if more else [])]
