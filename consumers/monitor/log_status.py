"""The state of the log apart from predictions and labels: the workers' lag, quarantined records, the model's size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from ..errors import BadRecord
from ..log.base import Log, TopicPartition
from ..model.ledger import Entry, LearnedLabel
from ..model.replica import Replica
from ..model.words import reliabilities_of, starter_of
from ..records.schemas import EMAILS, LABELS, QUARANTINE, decode_quarantine
from ..records.skipped import SkippedRecords
from ..settings import Settings
from .figures.joiner import ScoredMail
from .unread import Unread

QUARANTINE_PARTITION = TopicPartition(QUARANTINE, 0)


class PartitionLag(msgspec.Struct, frozen=True):
    """The number of `records` of one partition that no worker has processed yet."""

    topic: str
    partition: int
    records: int


class SourceReliability(msgspec.Struct, frozen=True):
    """The model's knowledge of a source: how many of its labels count, how many of those are probably wrong
    (`doubted`), and its flip rate (0 to 1)."""

    labels: int
    doubted: float
    flip_rate: float


class LogStatus(msgspec.Struct, frozen=True):
    """`lag` by partition of `emails` and `labels`; `quarantine` counts by reason; `reliability` of the sources that the
    monitor counts and the model has labels of, None for a textbook model, which does not count labels by source.

    `features` is the number of words and pairs in the model, `labels_learned` its number of labels; both are 0 before
    the first label. `starter_share` is the share of a starter's word counts that the model adds to its own, from 0 to
    1; None without a starter.
    """

    lag: list[PartitionLag]
    quarantine: dict[str, int]
    features: int
    labels_learned: int
    starter_share: float | None
    reliability: dict[str, SourceReliability] | None


class LogObserver:
    """Follows the model and quarantine topics, and computes the workers' lag."""

    def __init__(self, log: Log, settings: Settings, skipped: SkippedRecords) -> None:
        self._log = log
        self._replica = Replica.load(log, settings, skipped)
        self._replica.on_changed = self._note_changed
        self._learned: list[LearnedLabel] = []
        self._quarantine: Counter[str] = Counter()
        self._quarantine_next = log.start_offset(QUARANTINE_PARTITION)
        self._quarantined_next: dict[int, int] = {}
        self._unread = Unread(log)

    def follow(self) -> list[LearnedLabel]:
        """Read the new records; return the labels that the model has newly learned."""
        while records := self._log.read({QUARANTINE_PARTITION: self._quarantine_next}):
            self._quarantine_next = records[-1].offset + 1
            for record in records:
                try:
                    entry = decode_quarantine(record.value)
                except BadRecord as error:
                    self._quarantine[error.reason] += 1
                    continue
                self._quarantine[entry.reason] += 1
                if entry.topic == EMAILS:
                    self._quarantined_next[entry.partition] = entry.offset + 1
        self._replica.follow()
        learned, self._learned = self._learned, []
        return learned

    def learned(self, mails: Iterable[ScoredMail]) -> list[LearnedLabel]:
        """The learned labels of those `mails` that have no `learned_label` yet.

        The model may be ahead of the mails: at a start the monitor loads the whole model before it reads any mail, and
        a delta may be read before the prediction of the same commit.
        """
        found: list[LearnedLabel] = []
        for mail in mails:
            if mail.learned_label is None:
                entry = self._replica.ledger(mail.prediction.partition).entries.get(mail.prediction.id)
                if entry is not None and entry.update is not None:
                    found.append(entry.learned_at(entry.timestamp))
        return found

    def _note_changed(self, entries: list[Entry], timestamp: float) -> None:
        self._learned += [entry.learned_at(timestamp) for entry in entries]

    def status(self, scored: Mapping[int, int], sources: Iterable[str]) -> LogStatus:
        """The current state, with the reliability of these `sources` of labels; `scored` is the offset of `emails`
        after the last mail read as scored, by partition."""
        lag: list[PartitionLag] = []
        for partition in range(self._log.partitions(EMAILS)):
            emails, labels = TopicPartition(EMAILS, partition), TopicPartition(LABELS, partition)
            checkpoint = self._replica.checkpoint(partition)
            next_mail = max(
                scored.get(partition, 0),
                checkpoint.emails_next,  # the monitor may be behind in reading what was scored
                self._quarantined_next.get(partition, 0),
            )
            lag.append(PartitionLag(EMAILS, partition, self._unread.count(emails, next_mail)))
            lag.append(PartitionLag(LABELS, partition, self._unread.count(labels, checkpoint.labels_next)))
        model = self._replica.model
        starter = starter_of(model) if model is not None else None
        reliability = reliabilities_of(model, sources) if model is not None else {}
        return LogStatus(
            lag=lag,
            quarantine=dict(self._quarantine),
            features=model.features if model is not None else 0,
            labels_learned=model.labels_learned if model is not None else 0,
            starter_share=starter.share if starter is not None and starter.features else None,
            reliability=None
            if reliability is None
            else {name: SourceReliability(*known) for name, known in reliability.items()},
        )
