"""Figures from the log alone: every prediction as it was made on arrival, against the label of its message now."""

from __future__ import annotations

from ..log.base import Log
from ..records.replay import final_labels, odds_of, read_predictions, refused_labels
from ..records.skipped import SkippedRecords
from .report import Report, RunningReport


def report_log(log: Log, positive: str) -> Report:
    """The figures over all messages that have both a prediction and a label; `positive` is the class they speak of.

    Labels that a worker has put aside for a class too many are none.
    """
    labels = final_labels(log, refused=refused_labels(log))
    report = RunningReport(positive)
    for _, prediction in read_predictions(log, SkippedRecords()):
        if prediction.id in labels:
            report.update(labels[prediction.id], prediction.label, odds_of(prediction, positive)[0])
    return report.report()
