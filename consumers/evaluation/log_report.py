"""RunningReport from the log alone: every prediction, frozen at arrival, against the message's label of today."""

from __future__ import annotations

from ..log.base import Log
from ..records.replay import final_labels, read_predictions
from ..records.skipped import SkippedRecords
from .report import Report, RunningReport


def report_log(log: Log, positive: str) -> Report:
    """RunningReport over all labelled messages that were predicted."""
    labels = final_labels(log)
    figures = RunningReport(positive)
    for _, prediction in read_predictions(log, SkippedRecords()):
        if prediction.id in labels:
            figures.update(labels[prediction.id], prediction.label, prediction.log_odds)
    return figures.report()
