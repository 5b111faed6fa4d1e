"""The worker: score each mail when it arrives, learn each label when it comes, commit both or neither.

One step is
    1. poll: take what is there;
    2. follow: add what other workers learned;
    3. act: in order of time, score each mail and learn each label;
    4. commit: predictions, deltas, quarantine and positions in one transaction.
A step that does not reach the end of 4 leaves nothing behind: the process starts again from the log.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from threading import Event

from ..errors import BadRecord, Restart
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..log.time_merge import TimeMerge
from ..model.changelog import delta_record
from ..model.ledger import Entry
from ..model.mail_cache import MailCache
from ..model.replica import Replica
from ..records.schemas import (
    EMAILS,
    LABELS,
    PREDICTIONS,
    QUARANTINE,
    QuarantineRecord,
    decode_label,
    encode,
    read_prediction,
)
from ..settings import Settings
from .partition_task import PartitionTask
from .quota import Quota

MIN_SNAPSHOT_BYTES = 4_000_000
CATCH_UP_S = 30.0
YOUNG_OBJECTS = 50_000
"""About what a step of 1,000 mails makes."""


@dataclass
class Totals:
    """What a worker has committed since it started; `unmatched` are labels whose mail never came."""

    mails: int = 0
    labels: int = 0
    quarantined: int = 0
    unmatched: int = 0
    commits: int = 0


class Worker:
    """One member of the group; `member` is its stable name, `clock` gives seconds since 1970."""

    def __init__(self, log: Log, settings: Settings, member: str, clock: Callable[[], float] = time.time) -> None:
        self._log = log
        self._settings = settings
        self._clock = clock
        self._membership = log.join(settings.worker.group, (EMAILS, LABELS), member)
        self._alignment = TimeMerge((EMAILS, LABELS), self._membership.behind)
        self._generation = 0
        self._tasks: dict[int, PartitionTask] = {}
        self._quota = Quota(settings.worker.source_cap_per_hour, time.monotonic)
        self.totals = Totals()
        self.replica = Replica.load(log, settings)
        self.replica.ensure_key()

    @property
    def partitions(self) -> int:
        """Partitions of `emails` held now."""
        return len(self._tasks)

    def run(self, stop: Event, beat: Callable[[bool], None] = lambda ready: None) -> None:
        """Work until `stop` is set; what was begun is committed first. Raises Restart.

        After each step `beat` is told whether the worker has partitions to work on.
        """
        # What is loaded by now stays: to walk it again at each full collection would stop the work for 0.2 s. What a
        # step makes lives until its commit, so that to look for garbage sooner is in vain.
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS)
        while not stop.is_set():
            self.step()
            beat(bool(self._tasks))
        self._membership.close()

    def step(self) -> int:
        """One poll, its work and its commit; returns the number of records done."""
        worker = self._settings.worker
        records = self._membership.poll(worker.poll_records, worker.poll_s)
        if self._membership.generation != self._generation:
            self._on_assignment()
            return 0
        self.replica.follow()
        self._alignment.add(records)
        drafts: list[ProducerRecord] = []
        next_offsets: dict[TopicPartition, int] = {}
        step = Totals(commits=1)
        for partition, records in groupby(self._alignment.ready(), lambda record: record.partition):
            for record in records:
                try:
                    self._act(record)
                except BadRecord as error:
                    drafts.append(self._quarantine(record, error))
                    step.quarantined += 1
                next_offsets[TopicPartition(record.topic, partition)] = record.offset + 1
                step.mails += record.topic == EMAILS
                step.labels += record.topic == LABELS
            for prediction in self._tasks[partition].take_predictions():
                drafts.append(ProducerRecord(PREDICTIONS, prediction.id.encode(), encode(prediction), partition))
        if next_offsets:
            self._commit(drafts, next_offsets, step)
        return step.mails + step.labels

    def _act(self, record: Record) -> None:
        task = self._tasks[record.partition]
        if record.topic == EMAILS:
            task.add_mail(record)
            return
        label = decode_label(record.value)
        if record.key != label.id.encode():
            raise BadRecord("bad-key", f"key {record.key!r:.80} of a label is not its id {label.id[:80]!r}")
        task.reconcile(task.ledger.record_label(label, record.at))

    def _commit(self, drafts: list[ProducerRecord], next_offsets: dict[TopicPartition, int], step: Totals) -> None:
        for partition, task in self._tasks.items():
            expired = task.ledger.expired(self._clock())
            unmatched = [self._unmatched(entry, partition) for entry in expired if entry.awaits_mail]
            drafts += unmatched
            step.unmatched += len(unmatched)
            checkpoint = self.replica.checkpoint(partition)
            delta = task.take_delta(
                next_offsets.get(TopicPartition(LABELS, partition), checkpoint.labels_next),
                next_offsets.get(TopicPartition(EMAILS, partition), checkpoint.emails_next),
                tuple(entry.id for entry in expired),
            )
            if delta is not None:
                drafts.append(delta_record(delta))
                self.replica.advance(delta, len(drafts[-1].value or b""))
        if 0 in self._tasks and self._snapshot_due():
            drafts += self.replica.snapshot_records()
        self._membership.commit(drafts, next_offsets)
        for name, count in vars(step).items():
            setattr(self.totals, name, getattr(self.totals, name) + count)

    def _snapshot_due(self) -> bool:
        """Deltas outweigh twice the snapshot: reading both at a start then costs at most three snapshots."""
        return self.replica.delta_bytes > max(MIN_SNAPSHOT_BYTES, 2 * self.replica.manifest.size)

    def _on_assignment(self) -> None:
        """Take over the assigned partitions where the log has their positions."""
        self._generation = self._membership.generation
        self._alignment.assign(self._membership.assignment)
        partitions = sorted({at.partition for at in self._membership.assignment})
        self._tasks = {partition: self._open_task(partition) for partition in partitions}

    def _open_task(self, partition: int) -> PartitionTask:
        labels, emails = TopicPartition(LABELS, partition), TopicPartition(EMAILS, partition)
        committed = self._membership.committed(labels)
        # The last owner's delta may be committed a moment before it can be read.
        deadline = time.monotonic() + CATCH_UP_S
        self.replica.follow()
        while self.replica.checkpoint(partition).labels_next < committed > self._log.start_offset(labels):
            if time.monotonic() > deadline:
                raise Restart(
                    f"{labels}: committed up to {committed}, model up to {self.replica.checkpoint(partition)}"
                )
            self.replica.follow(timeout_s=0.2)
        checkpoint = self.replica.checkpoint(partition)
        self._membership.seek(labels, max(checkpoint.labels_next, committed))
        self._membership.seek(emails, max(checkpoint.emails_next, self._membership.committed(emails)))
        learner = self._settings.learner
        mail_cache = MailCache(self._log, partition, learner.headers)
        task = PartitionTask(partition, self.replica, mail_cache, learner, self._quota, self._clock)
        self._index_mails(task, TopicPartition(PREDICTIONS, partition))
        return task

    def _index_mails(self, task: PartitionTask, at: TopicPartition) -> None:
        """Note where the latest mails are, from their predictions."""
        first = self._log.end_offset(at) - self._settings.worker.remember_mails
        oldest = self._clock() - self._settings.worker.remember_days * 86_400
        for record in self._log.scan(at, first):
            try:
                prediction = read_prediction(record)
            except BadRecord as error:
                self.replica.skipped.skip(record, error)
                continue
            if record.at >= oldest:
                task.ledger.record_mail(prediction.id, prediction.next_offset)

    def _quarantine(self, record: Record, error: BadRecord) -> ProducerRecord:
        entry = QuarantineRecord(
            error.reason, error.detail, record.topic, record.partition, record.offset, self._clock()
        )
        return ProducerRecord(QUARANTINE, record.key, encode(entry), 0)

    def _unmatched(self, entry: Entry, partition: int) -> ProducerRecord:
        detail = f"label {entry.label!r} of {entry.id[:80]!r} waited longer than the ledger keeps labels"
        record = QuarantineRecord("label-without-mail", detail, LABELS, partition, -1, self._clock())
        return ProducerRecord(QUARANTINE, entry.id.encode(), encode(record), 0)
