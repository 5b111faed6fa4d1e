"""Readers of whole topics, from the oldest record kept to the current end."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..log.base import Log, Record, TopicPartition
from .schemas import (
    DUPLICATE_ID,
    DUPLICATE_MAIL,
    EMAILS,
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
from .skipped import SkippedRecords, readable


class _LatestRecord(NamedTuple):
    """What a source's latest record says of a message: its vote, or that the earlier one is withdrawn (`forget`); and
    the time at which the log received the record, which never falls within a partition. The source has said the same
    `since` that time, in the record of this `rank` among all that were read."""

    time: float
    label: str | None
    forget: bool
    since: float
    rank: int


def read_all(log: Log, topic: str, partitions: Iterable[int] | None = None) -> Iterator[Record]:
    """Yield all records of a `topic`, partition by partition, or of these `partitions` only. Raises UnknownTopic."""
    for partition in range(log.partitions(topic)) if partitions is None else partitions:
        yield from log.scan(TopicPartition(topic, partition))


def read_labels(log: Log, partitions: Iterable[int] | None = None) -> Iterator[tuple[Record, LabelRecord]]:
    """Yield all records of `labels`, or those on `partitions`, that a worker accepts, with their labels; the worker
    quarantines the others."""
    return readable(read_all(log, LABELS, partitions), read_label)


def classes_if_new(log: Log, wanted: set[str]) -> set[str]:
    """All classes in the log's labels if a `wanted` class is new, that is not among them; else the empty set."""
    found: set[str] = set()
    for _, record in read_labels(log):
        if record.label is not None:
            found.add(record.label)
        if wanted <= found:
            return set()
    return found


def read_predictions(log: Log, skipped: SkippedRecords | None = None) -> Iterator[tuple[Record, PredictionRecord]]:
    """Yield all records of `predictions` with their predictions; `skipped`, if given, counts those that no worker
    wrote."""
    return readable(read_all(log, PREDICTIONS), read_prediction, skipped)


def read_quarantine(log: Log) -> Iterator[tuple[Record, QuarantineRecord]]:
    """Yield all records of `quarantine` with their entries; undecodable ones are left out."""
    return readable(read_all(log, QUARANTINE), lambda record: decode_quarantine(record.value))


def refused_labels(log: Log) -> set[tuple[int, int]]:
    """Partition and offset of each label record that a worker has quarantined with `TOO_MANY_CLASSES`."""
    return {(entry.partition, entry.offset) for _, entry in read_quarantine(log) if entry.reason == TOO_MANY_CLASSES}


def unreadable_mails(log: Log) -> set[tuple[int, int, bytes | None]]:
    """Partition, offset and key of each record of `emails` that a worker has quarantined because it could not read a
    mail in it; a mail that is written later with the same id is scored. A mirror gives other offsets to its records,
    so the key must match, too."""
    return {
        (entry.partition, entry.offset, record.key)
        for record, entry in read_quarantine(log)
        if entry.topic == EMAILS and entry.reason not in (DUPLICATE_MAIL, DUPLICATE_ID)
    }


class FinalVote(NamedTuple):
    """A message's label, and the vote that gave it: its source, and since when that has said so, in seconds since 1970.
    Later votes of other sources may have confirmed it. Of votes of the same time, the one with the lower `rank` is the
    first."""

    label: str
    source: str
    since: float
    rank: int


def final_labels(
    log: Log,
    read_up_to: Mapping[int, int] | None = None,
    silence: bool = False,
    refused: Container[tuple[int, int]] = (),
) -> dict[str, str]:
    """The label of each labelled message: that of `final_votes`, with the same `read_up_to`, `silence`, `refused`."""
    return {message_id: vote.label for message_id, vote in final_votes(log, read_up_to, silence, refused).items()}


def final_votes(
    log: Log,
    read_up_to: Mapping[int, int] | None = None,
    silence: bool = False,
    refused: Container[tuple[int, int]] = (),
) -> dict[str, FinalVote]:
    """The label of each labelled message, which is its latest vote that has not been withdrawn, and the vote that gave
    this label first: the earliest of those that agree with the latest one, without another between them.

    If partitions were added, a message may have votes on several. Then the latest is the one with the highest
    timestamp; on one partition it is the last.

    Args:
        read_up_to: The partitions to read, each with the offset to stop before; None for all records.
        silence: Whether the vote of `SILENCE` counts for a message that has no other vote.
        refused: Partitions and offsets of label records to leave out.
    """
    records: dict[str, dict[str, _LatestRecord]] = {}
    times: dict[int, float] = {}
    for rank, (record, label) in enumerate(read_labels(log, read_up_to)):
        if read_up_to is not None and record.offset >= read_up_to[record.partition]:
            continue
        if (record.partition, record.offset) in refused:
            continue
        time = times[record.partition] = max(record.timestamp, times.get(record.partition, record.timestamp))
        by_source = records.setdefault(label.id, {})
        before = by_source.get(label.source)
        if before is None or before.time <= time:
            by_source.pop(label.source, None)
            said = label.label, label.forget
            first_said = time, rank
            if before is not None and (before.label, before.forget) == said:
                first_said = before.since, before.rank
            by_source[label.source] = _LatestRecord(time, *said, *first_said)
    final: dict[str, FinalVote] = {}
    for message_id, by_source in records.items():
        votes = {source: latest for source, latest in by_source.items() if not latest.forget}
        people = [source for source in votes if source != SILENCE]
        if not (sources := people or [source for source in votes if silence]):
            continue
        latest_first = sorted(sources, key=lambda source: votes[source].time)[::-1]
        label = votes[latest_first[0]].label
        if label is not None:
            another = next((n for n, source in enumerate(latest_first) if votes[source].label != label), None)
            first = min(latest_first[:another], key=lambda source: (votes[source].since, votes[source].rank))
            final[message_id] = FinalVote(label, first, votes[first].since, votes[first].rank)
    return final
