"""The silence stage: a mail with a sure prediction that nobody labels for some days gets the predicted label.

It is a `ConsumerLoop` over predictions and labels. One transaction writes the labels of mails that have waited long
enough, and commits the position of the oldest mail that is still waiting; so a successor reads the waiting mails again,
and each mail is labelled once. The stage writes labels only after it has read all labels that people gave. A mail's
waiting time starts at the log's timestamp of its prediction.
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
"""Most labels of one partition in one commit."""
COMMIT_S = 10.0
"""How often positions are committed while no label is due."""


class SilenceStage(ConsumerLoop):
    """One member of the group; `member` is its stable name, `clock` returns seconds since 1970."""

    def __init__(self, log: Log, settings: Settings, member: str, clock: Callable[[], float] = time.time) -> None:
        topics, group = (PREDICTIONS, LABELS), settings.silence.group
        super().__init__(log.join_group(group, topics, member, output=LABELS), topics, POLL_RECORDS, POLL_S)
        self._log = log
        self._days = settings.silence.after_days
        self._junk_is_read = settings.silence.junk_is_read
        self._most = settings.worker.remember_mails
        self._clock = clock
        self._mails: dict[int, WaitingMails] = {}
        self._read_up_to: dict[TopicPartition, int] = {}
        self._committed_at = clock()
        self._busy = False
        self.skipped = SkippedRecords()

    @property
    def busy(self) -> bool:
        """Whether more labels are due than fit into one commit."""
        return self._busy

    def on_assignment(self) -> None:
        """Begin with the mails that were waiting at the last commit, and the labels from before it."""
        partitions = {place.partition for place in self.consumer.assignment}
        self._mails = {partition: WaitingMails(self._most, self._junk_is_read) for partition in partitions}
        self._read_up_to = {}
        for place in self.consumer.assignment:
            # At most the end, even if the partition has lost records: Kafka's client would begin at the oldest one.
            self._read_up_to[place] = min(self._log.end_offset(place), self.consumer.committed(place))
            self.consumer.seek(place, self._read_up_to[place])
        for partition, mails in self._mails.items():
            labels = TopicPartition(LABELS, partition)
            for record in self._log.scan(labels, self._read_up_to[labels] - self._most):
                if record.offset >= self._read_up_to[labels]:
                    break
                self._add_label(mails, record)

    def act(self, records: Iterator[Record]) -> None:
        """Read predictions and labels, write the labels that are due, and commit."""
        for record in records:
            self._read_up_to[record.place] = record.offset + 1
            mails = self._mails[record.partition]
            if record.topic == LABELS:
                self._add_label(mails, record)
            else:
                self._add_prediction(mails, record)
        self._log_lost()
        self._busy = False
        labels = [label for partition in self._mails for label in self._due(partition)]
        if labels or self._clock() - self._committed_at >= COMMIT_S:
            self._commit(labels)

    def finish(self) -> None:
        """Commit the positions."""
        if self._mails:
            self._commit([])

    def _add_label(self, mails: WaitingMails, record: Record) -> None:
        # The worker quarantines bad labels.
        with suppress(BadRecord):
            mails.add_label(read_label(record))

    def _add_prediction(self, mails: WaitingMails, record: Record) -> None:
        try:
            prediction = read_prediction(record)
        except BadRecord as error:
            self.skipped.skip(record, error)
            return
        # A prediction dated in the future would block all that follow.
        since = min(record.timestamp, self._clock())
        labels_next = self._read_up_to[TopicPartition(LABELS, record.partition)]
        mails.add_prediction(prediction, since, record.offset, labels_next)

    def _log_lost(self) -> None:
        for partition, mails in self._mails.items():
            if mails.lost:
                place = TopicPartition(PREDICTIONS, partition)
                logger.warning(
                    "%s: no label of silence for %d mails with %d after them: workers cannot find them any more. Raise "
                    "[worker] remember_mails, or lower [silence] after_days (%g)",
                    place, mails.lost, self._most, self._days, extra={"kind": f"lost in {place}"},
                )  # fmt: skip
                mails.lost = 0

    def _due(self, partition: int) -> list[ProducerRecord]:
        """The labels that are due now; none while labels that people gave are still to be read."""
        labels = TopicPartition(LABELS, partition)
        if self._merge.waiting_in(labels) or self.consumer.lag(labels) != 0:
            return []
        now = self._clock()
        due = self._mails[partition].take(now - self._days * DAY_S, MOST_LABELS, now)
        self._busy |= len(due) == MOST_LABELS
        return [ProducerRecord(LABELS, label.id.encode(), encode(label), partition) for label in due]

    def _commit(self, outputs: list[ProducerRecord]) -> None:
        self.next_offsets = dict(self._read_up_to)
        for partition, mails in self._mails.items():
            if (oldest := mails.oldest) is not None:
                self.next_offsets[TopicPartition(PREDICTIONS, partition)] = oldest.offset
                self.next_offsets[TopicPartition(LABELS, partition)] = oldest.labels_next
        self.commit(outputs)
        self._committed_at = self._clock()


def check_days(settings: Settings) -> None:
    """Raise UserError if labels of silence would come too late to be learned."""
    kafka = settings.log.startswith("kafka:")
    name, kept = ("kafka", settings.kafka) if kafka else ("sqlite", settings.sqlite)
    for setting, days in (
        (f"[{name}] retention_days", kept.retention_days),
        ("[worker] remember_days", settings.worker.remember_days),
    ):
        if not settings.silence.after_days < days:
            raise UserError(
                f"[silence] after_days is {settings.silence.after_days:g} and {setting} is {days:g}: mails would be "
                "dropped before they are labelled; after_days must be smaller"
            )
