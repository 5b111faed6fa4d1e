"""The decoded outputs of the workers on a log."""

from __future__ import annotations

from consumers.log.base import Log
from consumers.records.replay import read_all
from consumers.records.schemas import (
    PREDICTIONS,
    QUARANTINE,
    PredictionRecord,
    QuarantineRecord,
    decode_prediction,
    decode_quarantine,
)


def predictions(log: Log) -> list[PredictionRecord]:
    """All predictions, partition by partition, in the order of the log."""
    return [decode_prediction(record.value) for record in read_all(log, PREDICTIONS)]


def quarantined(log: Log) -> list[QuarantineRecord]:
    """All entries of the quarantine, in the order of the log."""
    return [decode_quarantine(record.value) for record in read_all(log, QUARANTINE)]


def quarantine_reasons(log: Log) -> list[str]:
    """The reason of each entry of the quarantine, in the order of the log."""
    return [entry.reason for entry in quarantined(log)]
