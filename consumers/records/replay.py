"""What the log holds, read from the oldest record kept to the end as of now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..errors import BadRecord
from ..log.base import Log, Record, TopicPartition
from .schemas import (
    LABELS,
    PREDICTIONS,
    QUARANTINE,
    LabelRecord,
    PredictionRecord,
    QuarantineRecord,
    decode_label,
    decode_quarantine,
    read_prediction,
)
from .skipped import SkippedRecords


def read_all(log: Log, topic: str) -> Iterator[Record]:
    """All records of a topic from the oldest kept to the end as of now, partition by partition."""
    for partition in range(log.partitions(topic)):
        yield from log.scan(TopicPartition(topic, partition))


def read_labels(log: Log) -> Iterator[tuple[Record, LabelRecord]]:
    """All records of labels that can be used, with the label each holds; the others stand in the quarantine."""
    for record in read_all(log, LABELS):
        try:
            label = decode_label(record.value)
        except BadRecord:
            continue
        if record.key == label.id.encode():
            yield record, label


def read_predictions(log: Log, skipped: SkippedRecords | None = None) -> Iterator[tuple[Record, PredictionRecord]]:
    """All records of predictions with what each holds; `skipped` is told of those that no worker has written."""
    for record in read_all(log, PREDICTIONS):
        try:
            prediction = read_prediction(record)
        except BadRecord as error:
            if skipped is not None:
                skipped.skip(record, error)
            continue
        yield record, prediction


def read_quarantine(log: Log) -> Iterator[QuarantineRecord]:
    """All entries of the quarantine that can be read."""
    for record in read_all(log, QUARANTINE):
        try:
            yield decode_quarantine(record.value)
        except BadRecord:
            continue


def final_labels(log: Log, read_up_to: Mapping[int, int] | None = None) -> dict[str, str]:
    """What each labelled message is called now: the latest vote that was not forgotten.

    `read_up_to` gives the next offset of each partition to stop before; without it all records count.
    """
    votes: dict[str, dict[str, str | None]] = {}
    for record, label in read_labels(log):
        if read_up_to is not None and record.offset >= read_up_to.get(record.partition, 0):
            continue
        said = votes.setdefault(label.id, {})
        said.pop(label.source, None)
        if not label.forget:
            said[label.source] = label.label
    latest = ((message_id, list(said.values())[-1]) for message_id, said in votes.items() if said)
    return {message_id: label for message_id, label in latest if label is not None}
