"""The worker: score each mail when it arrives, learn each label when it comes, commit both or neither.

One step is
    1. poll: take what is there;
    2. follow: add what other workers learned;
    3. act: in order of time, score each mail and settle each label;
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

from consumers.alignment import Alignment
from consumers.desk import Desk
from consumers.errors import Restart, Unusable
from consumers.ledger import Entry
from consumers.log.base import Draft, Log, Record, TopicPartition
from consumers.mailbox import Mailbox
from consumers.model_topic import draft_delta
from consumers.quota import Quota
from consumers.records import (
    EMAILS,
    LABELS,
    PREDICTIONS,
    QUARANTINE,
    QuarantineRecord,
    decode_label,
    encode,
    read_prediction,
)
from consumers.replica import Replica
from consumers.settings import Settings

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
        self._alignment = Alignment((EMAILS, LABELS), self._membership.behind)
        self._generation = 0
        self._desks: dict[int, Desk] = {}
        self._quota = Quota(settings.worker.source_cap_per_hour, time.monotonic)
        self.totals = Totals()
        self.replica = Replica.load(log, settings)
        self.replica.ensure_key()

    @property
    def partitions(self) -> int:
        """Partitions of `emails` held now."""
        return len(self._desks)

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
            beat(bool(self._desks))
        self._membership.close()

    def step(self) -> int:
        """One poll, its work and its commit; returns the number of records done."""
        worker = self._settings.worker
        records = self._membership.poll(worker.poll_records, worker.poll_s)
        if self._membership.generation != self._generation:
            self._sit_down()
            return 0
        self.replica.follow()
        self._alignment.add(records)
        drafts: list[Draft] = []
        next_offsets: dict[TopicPartition, int] = {}
        step = Totals(commits=1)
        for partition, records in groupby(self._alignment.ready(), lambda record: record.partition):
            for record in records:
                try:
                    self._act(record)
                except Unusable as unusable:
                    drafts.append(self._quarantine(record, unusable))
                    step.quarantined += 1
                next_offsets[TopicPartition(record.topic, partition)] = record.offset + 1
                step.mails += record.topic == EMAILS
                step.labels += record.topic == LABELS
            for prediction in self._desks[partition].take_predictions():
                drafts.append(Draft(PREDICTIONS, prediction.id.encode(), encode(prediction), partition))
        if next_offsets:
            self._commit(drafts, next_offsets, step)
        return step.mails + step.labels

    def _act(self, record: Record) -> None:
        desk = self._desks[record.partition]
        if record.topic == EMAILS:
            desk.read(record)
            return
        label = decode_label(record.value)
        if record.key != label.id.encode():
            raise Unusable("bad-key", f"key {record.key!r:.80} of a label is not its id {label.id[:80]!r}")
        desk.settle(desk.ledger.hear(label, record.at))

    def _commit(self, drafts: list[Draft], next_offsets: dict[TopicPartition, int], step: Totals) -> None:
        for partition, desk in self._desks.items():
            expired = desk.ledger.expired(self._clock())
            unmatched = [self._unmatched(entry, partition) for entry in expired if entry.waiting]
            drafts += unmatched
            step.unmatched += len(unmatched)
            mark = self.replica.mark(partition)
            delta = desk.take_delta(
                next_offsets.get(TopicPartition(LABELS, partition), mark.labels_next),
                next_offsets.get(TopicPartition(EMAILS, partition), mark.emails_next),
                tuple(entry.id for entry in expired),
            )
            if delta is not None:
                drafts.append(draft_delta(delta))
                self.replica.learned(delta, len(drafts[-1].value))
        if 0 in self._desks and self._snapshot_due():
            drafts += self.replica.draft_snapshot()
        self._membership.commit(drafts, next_offsets)
        for name, count in vars(step).items():
            setattr(self.totals, name, getattr(self.totals, name) + count)

    def _snapshot_due(self) -> bool:
        """Deltas outweigh twice the snapshot: reading both at a start then costs at most three snapshots."""
        return self.replica.delta_bytes > max(MIN_SNAPSHOT_BYTES, 2 * self.replica.manifest.size)

    def _sit_down(self) -> None:
        """Take over the assigned partitions where the log says they stand."""
        self._generation = self._membership.generation
        self._alignment.assign(self._membership.assignment)
        partitions = sorted({at.partition for at in self._membership.assignment})
        self._desks = {partition: self._open_desk(partition) for partition in partitions}

    def _open_desk(self, partition: int) -> Desk:
        labels, emails = TopicPartition(LABELS, partition), TopicPartition(EMAILS, partition)
        committed = self._membership.committed(labels)
        # The last owner's delta may be committed a moment before it can be read.
        deadline = time.monotonic() + CATCH_UP_S
        self.replica.follow()
        while self.replica.mark(partition).labels_next < committed > self._log.start_offset(labels):
            if time.monotonic() > deadline:
                raise Restart(f"{labels}: committed up to {committed}, model up to {self.replica.mark(partition)}")
            self.replica.follow(timeout_s=0.2)
        mark = self.replica.mark(partition)
        self._membership.seek(labels, max(mark.labels_next, committed))
        self._membership.seek(emails, max(mark.emails_next, self._membership.committed(emails)))
        learner = self._settings.learner
        mailbox = Mailbox(self._log, partition, learner.headers)
        desk = Desk(partition, self.replica, mailbox, learner, self._quota, self._clock)
        self._index_mails(desk, TopicPartition(PREDICTIONS, partition))
        return desk

    def _index_mails(self, desk: Desk, at: TopicPartition) -> None:
        """Learn again where the latest mails stand, from the predictions made of them."""
        first = self._log.end_offset(at) - self._settings.worker.remember_mails
        oldest = self._clock() - self._settings.worker.remember_days * 86_400
        for record in self._log.scan(at, first):
            try:
                prediction = read_prediction(record)
            except Unusable as unusable:
                self.replica.foreign.pass_over(record, unusable)
                continue
            if record.at >= oldest:
                desk.ledger.saw_mail(prediction.id, prediction.next_offset)

    def _quarantine(self, record: Record, unusable: Unusable) -> Draft:
        entry = QuarantineRecord(
            unusable.reason, unusable.detail, record.topic, record.partition, record.offset, self._clock()
        )
        return Draft(QUARANTINE, record.key, encode(entry), 0)

    def _unmatched(self, entry: Entry, partition: int) -> Draft:
        detail = f"label {entry.label!r} of {entry.id[:80]!r} waited longer than the ledger keeps labels"
        record = QuarantineRecord("label-without-mail", detail, LABELS, partition, -1, self._clock())
        return Draft(QUARANTINE, entry.id.encode(), encode(record), 0)
