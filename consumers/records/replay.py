"""Readers of whole topics, from the oldest record kept to the current end."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from ..errors import BadRecord
from ..log.base import Log, Record, TopicPartition
from .schemas import (
    LABELS,
    PREDICTIONS,
    QUARANTINE,
    SILENCE,
    TOO_MANY_CLASSES,
    LabelRecord,
    PredictionRecord,
    QuarantineRecord,
    decode_quarantine,
    read_label,
    read_prediction,
)
from .skipped import SkippedRecords


def read_all(log: Log, topic: str, partitions: Iterable[int] | None = None) -> Iterator[Record]:
    """Yield all records of a topic, partition by partition.

    Args:
        log: The log.
        topic: The topic's name.
        partitions: The partitions to read; None for all.

    Raises:
        UnknownTopic: The log has no such topic.
    """
    for partition in range(log.partitions(topic)) if partitions is None else partitions:
        yield from log.scan(TopicPartition(topic, partition))


def read_labels(log: Log, partitions: Iterable[int] | None = None) -> Iterator[tuple[Record, LabelRecord]]:
    """Yield all records of `labels` that a worker accepts, with their labels; the worker quarantines the others.

    Args:
        log: The log.
        partitions: The partitions to read; None for all.
    """
    for record in read_all(log, LABELS, partitions):
        try:
            label = read_label(record)
        except BadRecord:
            continue
        yield record, label


def classes_without(log: Log, wanted: set[str]) -> set[str]:
    """The classes in the log's labels, if a `wanted` class is missing among them; else the empty set."""
    found: set[str] = set()
    for _, record in read_labels(log):
        if record.label is not None:
            found.add(record.label)
        if wanted <= found:
            return set()
    return found


def read_predictions(
    log: Log, skipped: SkippedRecords | None = None, partitions: Iterable[int] | None = None
) -> Iterator[tuple[Record, PredictionRecord]]:
    """Yield all records of `predictions` with their predictions.

    Args:
        log: The log.
        skipped: Counts records that no worker wrote; None not to count them.
        partitions: The partitions to read; None for all.
    """
    for record in read_all(log, PREDICTIONS, partitions):
        try:
            prediction = read_prediction(record)
        except BadRecord as error:
            if skipped is not None:
                skipped.skip(record, error)
            continue
        yield record, prediction


def read_quarantine(log: Log) -> Iterator[QuarantineRecord]:
    """Yield all quarantine records; undecodable ones are left out."""
    for record in read_all(log, QUARANTINE):
        try:
            yield decode_quarantine(record.value)
        except BadRecord:
            continue


def refused_labels(log: Log) -> set[tuple[int, int]]:
    """Partition and offset of each label record that a worker has quarantined with `TOO_MANY_CLASSES`."""
    return {(entry.partition, entry.offset) for entry in read_quarantine(log) if entry.reason == TOO_MANY_CLASSES}


def final_labels(
    log: Log,
    read_up_to: Mapping[int, int] | None = None,
    silence: bool = False,
    refused: Container[tuple[int, int]] = (),
) -> dict[str, str]:
    """The label of each labelled message: its latest vote that has not been withdrawn.

    Args:
        log: The log.
        read_up_to: The partitions to read, each with the offset to stop before; None for all records.
        silence: Whether the vote of `SILENCE` counts for a message that has no other vote.
        refused: Partitions and offsets of label records to leave out.
    """
    votes: dict[str, dict[str, str | None]] = {}
    for record, label in read_labels(log, read_up_to):
        if read_up_to is not None and record.offset >= read_up_to[record.partition]:
            continue
        if (record.partition, record.offset) in refused:
            continue
        by_source = votes.setdefault(label.id, {})
        by_source.pop(label.source, None)
        if not label.forget:
            by_source[label.source] = label.label
    for by_source in votes.values():
        if SILENCE in by_source and (len(by_source) > 1 or not silence):
            del by_source[SILENCE]
    latest = {message_id: list(by_source.values())[-1] for message_id, by_source in votes.items() if by_source}
    return {message_id: label for message_id, label in latest.items() if label is not None}
