"""What the log says beside predictions and labels: how far the worker is, what was put aside, how the model stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from stream_nb.mail_nb.vocabulary import Reliability, reliabilities

from ..errors import BadRecord
from ..log.base import Log, TopicPartition
from ..model.replica import LearnedLabel, Replica
from ..records.schemas import EMAILS, LABELS, QUARANTINE, decode_quarantine
from ..records.skipped import SkippedRecords
from ..settings import Settings
from .joiner import ScoredMail


class Facts(msgspec.Struct, frozen=True):
    """`lag` counts records not acted on yet, by ``topic[partition]``; `quarantine` counts by reason.

    `features` is the number of words and pairs known, `labels_learned` how many labels the model has; both 0 before the
    first label. `reliability` is what the model has learned about each source of labels.
    """

    lag: dict[str, int]
    quarantine: dict[str, int]
    features: int
    labels_learned: int
    reliability: dict[str, Reliability]


class Observer:
    """Follows the model and quarantine topics, and compares positions with the ends of the log."""

    def __init__(self, log: Log, settings: Settings, skipped: SkippedRecords) -> None:
        self._log = log
        self._replica = Replica.load(log, settings, skipped)
        self._quarantine: Counter[str] = Counter()
        self._quarantine_next = log.start_offset(TopicPartition(QUARANTINE, 0))
        self._quarantined: dict[int, int] = {}
        self._quarantined_at = 0.0

    @property
    def acted_at(self) -> float:
        """When a worker last learned something or put something aside, in seconds since 1970; 0: never."""
        return max(self._replica.applied_at, self._quarantined_at)

    def follow(self) -> list[LearnedLabel]:
        """Read what is new; returns what the model has learned."""
        at = TopicPartition(QUARANTINE, 0)
        while records := self._log.read({at: self._quarantine_next}):
            self._quarantine_next = records[-1].offset + 1
            for record in records:
                self._quarantined_at = max(self._quarantined_at, record.timestamp)
                try:
                    entry = decode_quarantine(record.value)
                except BadRecord as error:
                    self._quarantine[error.reason] += 1
                    continue
                self._quarantine[entry.reason] += 1
                if entry.topic == EMAILS:
                    self._quarantined[entry.partition] = entry.offset + 1
        return self._replica.follow()

    def lessons(self, mails: Iterable[ScoredMail]) -> list[LearnedLabel]:
        """What the model has learned about those of these mails that bear no mark of it yet.

        The model may be ahead of the mails: a monitor that starts late loads it whole before it reads any, and a
        delta may be read before the prediction of the same commit.
        """
        found = []
        for seen in mails:
            if seen.learned is None:
                entry = self._replica.ledger(seen.prediction.partition).entries.get(seen.prediction.id)
                if entry is not None and entry.update is not None:
                    found.append(LearnedLabel(entry.id, entry.update.label, entry.timestamp))
        return found

    def facts(self, scored: Mapping[int, int]) -> Facts:
        """How things stand now; `scored` is the next offset of `emails` after the last prediction, by partition."""
        lag: dict[str, int] = {}
        for partition in range(self._log.partitions(EMAILS)):
            emails, labels = TopicPartition(EMAILS, partition), TopicPartition(LABELS, partition)
            acted = (
                scored.get(partition, 0),
                self._quarantined.get(partition, 0),
                self._log.start_offset(emails),
            )
            lag[str(emails)] = max(0, self._log.end_offset(emails) - max(acted))
            read = max(self._replica.checkpoint(partition).labels_next, self._log.start_offset(labels))
            lag[str(labels)] = max(0, self._log.end_offset(labels) - read)
        model = self._replica.model
        return Facts(
            lag,
            dict(self._quarantine),
            model.features if model is not None else 0,
            model.labels_learned if model is not None else 0,
            reliabilities(model) if model is not None else {},
        )
