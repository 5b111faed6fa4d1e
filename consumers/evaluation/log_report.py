"""Figures computed from the log: each prediction, as made on arrival, against the current label of its message."""

from __future__ import annotations

from ..log.base import Log
from ..records.replay import final_labels, read_predictions, refused_labels
from ..records.scores import odds_of
from ..records.skipped import SkippedRecords
from .report import Report, RunningReport


def report_log(log: Log, positive: str) -> Report:
    """The figures over all messages with a prediction and a label; precision, recall and ranking are for `positive`.

    Of a message that was scored several times, only the first prediction counts. Labels that a worker refused because
    of `max_classes` do not count.
    """
    labels = final_labels(log, refused=refused_labels(log))
    report = RunningReport(positive)
    for _, prediction in read_predictions(log, SkippedRecords()):
        if prediction.id in labels:
            report.update(labels.pop(prediction.id), prediction.label, odds_of(prediction, positive)[0])
    return report.report()
