"""Figures from the log alone: every prediction, frozen at arrival, against the message's label of today."""

from __future__ import annotations

from ..log.base import Log
from ..records.foreign import Foreign
from ..records.replay import final_labels, read_predictions
from .report import Figures, Report


def report_log(log: Log, positive: str) -> Report:
    """Figures over all labelled messages that were predicted."""
    labels = final_labels(log)
    figures = Figures(positive)
    for _, prediction in read_predictions(log, Foreign()):
        if prediction.id in labels:
            figures.update(labels[prediction.id], prediction.label, prediction.log_odds)
    return figures.report()
