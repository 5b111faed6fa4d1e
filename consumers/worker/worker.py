"""The worker: score each mail on arrival, learn each label on arrival, commit both or neither.

It is a `ConsumerLoop` over mails and labels. Each step applies what other workers have learned, processes the records,
and commits predictions, deltas, quarantine and positions in one transaction. A step that fails before its commit has no
effect: the process starts again from the log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile
from threading import Event

from ..errors import BadRecord
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..log.consumer_loop import ConsumerLoop
from ..log.ends import partition_shrank
from ..log.outputs import wait_for_outputs
from ..log.runs import runs
from ..model.changelog import MODEL_PARTITION, Delta, delta_record
from ..model.mail_cache import MailCache
from ..model.policy import PolicyFollower
from ..model.replica import Replica
from ..records.schemas import EMAILS, LABELS, PREDICTIONS, PredictionRecord, encode, read_prediction
from ..records.skipped import readable
from ..runtime.collection import collect_after_commit_of, collect_in_short_stops, no_collection
from ..settings import Settings
from .catch_up import catch_up, follow_others, other_group
from .commit_pace import CommitPace
from .forgetting import OWNED, Forgetting
from .partition_task import PartitionTask
from .quarantine import quarantine_record, unmatched_label
from .quota import Quota
from .reading import reading_on
from .same_topic import check_reaches, scored_up_to
from .snapshot_writer import SnapshotWriter, record_bytes

MOST_DELTA_BYTES = 1_000_000
"""Approximate size at which a delta is closed; a record may be four times as large."""
PREDICTION_BYTES, SCORE_BYTES = 500, 25
"""Approximate sizes of a prediction without scores, and of a score without the name of its class."""


@dataclass
class Totals:
    """Counts of what a worker has committed since it started; `unmatched` counts labels whose mail never arrived."""

    mails: int = 0
    labels: int = 0
    quarantined: int = 0
    unmatched: int = 0
    commits: int = 0


class Worker(ConsumerLoop):
    """One member of the group; `member` is its stable name, `clock` returns seconds since 1970."""

    def __init__(self, log: Log, settings: Settings, member: str, clock: Callable[[], float] = time.time) -> None:
        topics, worker = (EMAILS, LABELS), settings.worker
        super().__init__(log.join_group(worker.group, topics, member), topics, worker.poll_records, worker.poll_s)
        self._log = log
        self._settings = settings
        self._clock = clock
        self._tasks: dict[int, PartitionTask] = {}
        self._quota = Quota(worker.source_cap_per_hour, time.monotonic)
        self.totals = Totals()
        self.replica = Replica.load(log, settings)
        self.replica.ensure_key()
        self._policies = PolicyFollower(log, settings.learner, self.replica.skipped)
        self._forgetting = Forgetting(self.replica, settings.learner)
        self._snapshots = SnapshotWriter(self.replica)
        self._pace = CommitPace()
        self._size = 0

    @property
    def partitions(self) -> int:
        """Number of partitions of `emails` assigned now."""
        return len(self._tasks)

    def run(self, stop: Event, beat: Callable[[bool], None] = lambda ready: None) -> None:
        """Like `ConsumerLoop.run` (same `stop` and `beat`), with frequent, short garbage collections."""
        collect_in_short_stops()
        super().run(stop, beat)

    def step(self, timeout_s: float | None = None) -> int:
        """Like `ConsumerLoop.step`, without garbage collection, which would traverse its records again and again."""
        with no_collection():
            collect_after_commit_of(acted := super().step(timeout_s))
            return acted

    def on_assignment(self) -> None:
        """Open a task for each assigned partition, at the positions found on the log."""
        partitions = sorted({place.partition for place in self.consumer.assignment})
        self._snapshots.stop()
        outputs = [MODEL_PARTITION, *(TopicPartition(PREDICTIONS, partition) for partition in partitions)]
        wait_for_outputs(self._log, outputs, self.beat)
        self._policies.follow_to_end()  # the last owner may have decided by a change that has not been received here
        tasks: dict[int, PartitionTask] = {}
        for partition in partitions:
            self.beat(False)  # reading a partition's latest predictions takes up to a second
            tasks[partition] = self._open_task(partition, len(partitions))
        self._tasks = tasks
        self._forgetting = Forgetting(self.replica, self._settings.learner)  # another owner may have let it grow

    def admit(self, records: list[Record]) -> list[Record]:
        """Admit all records; announce the mails to their tasks, which read them when their turn comes.

        Raises Restart if a partition lost records: Kafka's client then goes back by itself.
        """
        for place, run in runs(records):
            if (first := min([record.offset for record in run])) < self._committed[place]:
                raise partition_shrank(place, first, self._committed[place])
            if place.topic == EMAILS:
                self._tasks[place.partition].reading.add(run)
        return records

    def act(self, records: Iterator[Record]) -> None:
        """Score the mails, learn the labels, and commit."""
        if (shared := follow_others(self.replica, self._tasks)) is not None:
            self.commit([])  # raises Restart if the partition has a new owner in this group
            raise other_group(shared, self._settings.worker.group)
        self._policies.follow()
        outputs, step, written, self._size = list[ProducerRecord](), Totals(commits=1), 0, 0
        classes = self.replica.require_model().classes
        prediction_bytes = PREDICTION_BYTES + sum([SCORE_BYTES + len(label.encode()) for label in classes])
        for partition, in_partition in groupby(records, lambda record: record.partition):
            task, delta_bytes = self._tasks[partition], 0
            for record in in_partition:
                if delta_bytes > MOST_DELTA_BYTES:
                    self._close_delta(partition, outputs, step)
                    written += record_bytes(outputs[-1])
                is_mail = record.topic == EMAILS
                try:
                    self._act(record)
                except BadRecord as error:
                    outputs.append(quarantine_record(record, error, self._clock()))
                    written += record_bytes(outputs[-1])
                    step.quarantined += 1
                step.mails += is_mail
                step.labels += not is_mail
                written += prediction_bytes * is_mail
                self._size = written + (delta_bytes := task.delta_bytes) + task.queued_bytes
            for prediction in task.take_predictions():
                outputs.append(ProducerRecord(PREDICTIONS, prediction.id.encode(), encode(prediction), partition))
            written += task.delta_bytes
        if self.next_offsets or self._snapshots.writing:
            self._commit(outputs, step)

    @property
    def enough(self) -> bool:
        """Whether the step has produced as many bytes as a commit should have."""
        return self._size >= self._pace.budget

    @property
    def busy(self) -> bool:
        """Whether there is work without new records: a snapshot is being written."""
        return self._snapshots.writing

    def finish(self) -> None:
        """Do nothing: each step commits its own work."""

    def _act(self, record: Record) -> None:
        task = self._tasks[record.partition]
        (task.add_mail if record.topic == EMAILS else task.add_label)(record)

    def _commit(self, outputs: list[ProducerRecord], step: Totals) -> None:
        for partition in self._tasks:
            self._close_delta(partition, outputs, step)
        if OWNED in self._tasks:
            for delta in self._forgetting.take_due(self._pace.budget - self._size):
                self._put_delta(delta, outputs)
            outputs += self._snapshots.take(self._pace.budget - self._size)
        began = time.monotonic()
        with reading_on(task.reading for task in self._tasks.values()):
            self.commit(outputs)
        # `enough` compares the estimate with the budget, so a full commit may have fewer bytes.
        self._pace.note(max(self._size, sum(map(record_bytes, outputs))), time.monotonic() - began)
        for name, count in vars(step).items():
            setattr(self.totals, name, getattr(self.totals, name) + count)

    def _close_delta(self, partition: int, outputs: list[ProducerRecord], step: Totals) -> None:
        """Add a delta with the partition's changes, up to the last record acted on, to the outputs."""
        task, checkpoint = self._tasks[partition], self.replica.checkpoint(partition)
        expired = task.expired()
        unmatched = [unmatched_label(entry, partition, self._clock()) for entry in expired if entry.awaits_mail]
        outputs += unmatched
        step.unmatched += len(unmatched)
        delta = task.take_delta(
            self.next_offsets.get(TopicPartition(LABELS, partition), checkpoint.labels_next),
            self.next_offsets.get(TopicPartition(EMAILS, partition), checkpoint.emails_next),
            tuple(entry.id for entry in expired),
        )
        if delta is not None:
            self._put_delta(delta, outputs)

    def _put_delta(self, delta: Delta, outputs: list[ProducerRecord]) -> None:
        record = delta_record(delta)
        outputs.append(record)
        self.replica.advance(delta, len(record.value or b""))

    def _open_task(self, partition: int, caches: int) -> PartitionTask:
        labels, emails = TopicPartition(LABELS, partition), TopicPartition(EMAILS, partition)
        catch_up(self._log, self.replica, labels, self.consumer.committed(labels))
        checkpoint = self.replica.checkpoint(partition)
        check_reaches(self._log, labels, checkpoint.labels_next)
        check_reaches(self._log, emails, max(checkpoint.emails_next, self.consumer.committed(emails)))
        self.consumer.seek(labels, self.resume_at(labels, checkpoint.labels_next))
        learner = self._settings.learner
        mail_cache = MailCache(self._log, partition, learner.headers, caches)
        task = PartitionTask(partition, self.replica, mail_cache, learner, self._policies, self._quota, self._clock)
        if self.kept >= {labels, emails}:
            task.scored_next = self._tasks[partition].scored_next  # and the ledger has the mails already
        else:
            predictions = self._index_mails(task, TopicPartition(PREDICTIONS, partition))
            task.scored_next = scored_up_to(self._log, emails, predictions)
        self.consumer.seek(emails, self.resume_at(emails, max(checkpoint.emails_next, task.scored_next)))
        return task

    def _index_mails(self, task: PartitionTask, place: TopicPartition) -> Iterator[PredictionRecord]:
        """Enter the latest mails into the ledger, from their predictions; yields those at the latest offsets.

        On Kafka the end of each transaction takes an offset, too, so the mails may be at twice as many offsets.
        """
        most, end = self._settings.worker.remember_mails, self._log.end_offset(place)
        oldest = self._clock() - self._settings.worker.remember_days * 86_400
        mails: list[tuple[str, int]] = []
        for record, prediction in self._predictions(place, end - most, end):
            if record.timestamp >= oldest:
                mails.append((prediction.id, prediction.next_offset))
            yield prediction
        missing, first = most - len(mails), end - most
        if missing and first > self._log.start_offset(place):
            earlier = self._predictions(place, first - 2 * missing, first)
            mails = [(each.id, each.next_offset) for record, each in earlier if record.timestamp >= oldest] + mails
        for message_id, next_offset in mails[-most:]:
            task.ledger.record_mail(message_id, next_offset)

    def _predictions(self, place: TopicPartition, first: int, end: int) -> Iterator[tuple[Record, PredictionRecord]]:
        records = takewhile(lambda each: each.offset < end, self._log.scan(place, first))
        return readable(records, read_prediction, self.replica.skipped)
