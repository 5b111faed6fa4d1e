"""The stage: a mail that was predicted surely, and that nobody labels for some days, gets that label of `SILENCE`.

It is a `ConsumerLoop` of predictions and labels. What it commits is the position of the mail that waits longest, with
the labels of those that wait no longer, in one transaction; so a successor reads again what was still waiting, and
gives each mail its label once. It gives labels only when it has read all that people gave: time is that of the log,
from when it took the prediction.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from ..errors import BadRecord, UserError
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..log.consumer_loop import ConsumerLoop
from ..records.schemas import LABELS, PREDICTIONS, encode, read_label, read_prediction
from ..records.skipped import SkippedRecords
from ..settings import Settings
from .waiting import WaitingMails

logger = logging.getLogger(__name__)

DAY_S = 86_400.0
POLL_RECORDS = 2_000
POLL_S = 0.5
MOST_LABELS = 1_000
"""Labels of one commit, of a partition."""
COMMIT_S = 10.0
"""So often positions are committed while there is no label to give."""


class SilenceStage(ConsumerLoop):
    """One member of the group; `member` is its stable name, `clock` gives seconds since 1970."""

    def __init__(self, log: Log, settings: Settings, member: str, clock: Callable[[], float] = time.time) -> None:
        topics, group = (PREDICTIONS, LABELS), settings.silence.group
        super().__init__(log.join_group(group, topics, member, output=LABELS), topics, POLL_RECORDS, POLL_S)
        self._log = log
        self._days = settings.silence.after_days
        self._junk_is_read = settings.silence.junk_is_read
        self._most = settings.worker.remember_mails
        self._clock = clock
        self._mails: dict[int, WaitingMails] = {}
        self._read: dict[TopicPartition, int] = {}
        self._committed_at = clock()
        self._busy = False
        self.skipped = SkippedRecords()

    @property
    def ready(self) -> bool:
        """There are partitions to work on."""
        return bool(self._mails)

    @property
    def busy(self) -> bool:
        """There are more labels to give than a commit takes."""
        return self._busy

    def on_assignment(self) -> None:
        """Begin with the mails that were waiting at the last commit, and the labels given before."""
        self._mails = {place.partition: WaitingMails(self._most) for place in self.consumer.assignment}
        self._read = {place: self.consumer.committed(place) for place in self.consumer.assignment}
        for partition, mails in self._mails.items():
            labels = TopicPartition(LABELS, partition)
            for record in self._log.scan(labels, self._read[labels] - self._most):
                if record.offset >= self._read[labels]:
                    break
                self._add_label(mails, record)

    def act(self, records: Iterator[Record]) -> None:
        """Note predictions and labels, give the labels that are due, and commit."""
        for record in records:
            self._read[record.place] = record.offset + 1
            mails = self._mails[record.partition]
            if record.topic == LABELS:
                self._add_label(mails, record)
            else:
                self._add_prediction(mails, record)
        self._tell_lost()
        self._busy = False
        labels = [label for partition in self._mails for label in self._due(partition)]
        if labels or self._clock() - self._committed_at >= COMMIT_S:
            self._commit(labels)

    def finish(self) -> None:
        """Commit the positions."""
        if self._mails:
            self._commit([])

    def _add_label(self, mails: WaitingMails, record: Record) -> None:
        # The worker puts a bad one into quarantine.
        with suppress(BadRecord):
            mails.add_label(read_label(record))

    def _add_prediction(self, mails: WaitingMails, record: Record) -> None:
        try:
            prediction = read_prediction(record)
        except BadRecord as error:
            self.skipped.skip(record, error)
            return
        # One dated ahead would hold up all that follow.
        since = min(record.timestamp, self._clock())
        labels_next = self._read[TopicPartition(LABELS, record.partition)]
        if self._junk_is_read or prediction.label != prediction.positive:
            mails.add_prediction(prediction, since, record.offset, labels_next)

    def _tell_lost(self) -> None:
        for partition, mails in self._mails.items():
            if mails.lost:
                place = TopicPartition(PREDICTIONS, partition)
                logger.warning(
                    "%s: no label of silence for %d mails with %d after them: workers do not find them any more. Raise "
                    "[worker] remember_mails, or lower [silence] after_days (%g)",
                    place, mails.lost, self._most, self._days, extra={"kind": f"lost in {place}"},
                )  # fmt: skip
                mails.lost = 0

    def _due(self, partition: int) -> list[ProducerRecord]:
        """The labels to give now; none while there are labels of people still to be read."""
        labels = TopicPartition(LABELS, partition)
        if self._merge.waiting_in(labels) or self.consumer.lag(labels) != 0:
            return []
        now = self._clock()
        given = self._mails[partition].take(now - self._days * DAY_S, MOST_LABELS, now)
        self._busy |= len(given) == MOST_LABELS
        return [ProducerRecord(LABELS, label.id.encode(), encode(label), partition) for label in given]

    def _commit(self, outputs: list[ProducerRecord]) -> None:
        self.next_offsets = dict(self._read)
        for partition, mails in self._mails.items():
            if (oldest := mails.oldest) is not None:
                self.next_offsets[TopicPartition(PREDICTIONS, partition)] = oldest.offset
                self.next_offsets[TopicPartition(LABELS, partition)] = oldest.labels_next
        self.commit(outputs)
        self._committed_at = self._clock()


def check_days(settings: Settings) -> None:
    """Raise UserError where a label of silence would come too late to be learned."""
    kafka = settings.log.startswith("kafka:")
    name, kept = ("kafka", settings.kafka) if kafka else ("sqlite", settings.sqlite)
    for setting, days in (
        (f"[{name}] retention_days", kept.retention_days),
        ("[worker] remember_days", settings.worker.remember_days),
    ):
        if not settings.silence.after_days < days:
            raise UserError(
                f"[silence] after_days is {settings.silence.after_days:g} and {setting} {days:g}: a mail would be gone "
                "before its label comes; silence must be shorter"
            )
