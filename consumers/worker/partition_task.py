"""The work on one partition between two commits: score mails, learn labels, collect the updates."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from stream_nb import MailNB
from stream_nb.types import Mail, Update

from ..errors import BadRecord
from ..log.base import Record
from ..model.changelog import FORMAT, Checkpoint, Delta
from ..model.decay import faded, what_is_left
from ..model.ledger import Entry, LabelVote
from ..model.mail_cache import MailCache
from ..model.policy import PolicyFollower
from ..model.replica import Replica
from ..model.silence import unmeasured
from ..records.schemas import EMAILS, SILENCE, TOO_MANY_CLASSES, PredictionRecord, read_label
from ..records.values import MAX_LOG_ODDS, Label, bounded
from ..settings import LearnerSettings
from .model_queue import ModelQueue, Outcome
from .quarantine import known_mail
from .quota import Quota
from .reading import ReadingQueue

LABEL_BYTES = 300  # approximate size of the ledger entry of one label
MORE_EVICTED = 500
"""A delta evicts at most this many more entries than it stores: a backlog of them shrinks, and no delta is large."""


class PartitionTask:
    """Processes the mails and labels of one `partition`, and collects the changes into a delta.

    The task changes the replica's model, which has a key. The owner keeps the policies up to date. `clock` returns
    seconds since 1970.
    """

    def __init__(
        self,
        partition: int,
        replica: Replica,
        mail_cache: MailCache,
        learner: LearnerSettings,
        policies: PolicyFollower,
        quota: Quota,
        clock: Callable[[], float],
    ) -> None:
        self._partition = partition
        self._replica = replica
        self._model = replica.require_model()
        self._mail_cache = mail_cache
        self._learner = learner
        self._policies = policies
        self._quota = quota
        self._clock = clock
        self.ledger = replica.ledger(partition)
        self._changed: dict[str, Entry] = {}
        self._changed_bytes = 0
        self._recorder = self._model.recorder()
        self.reading = ReadingQueue(learner.headers)
        """The mails that `add_mail` will be called with later."""
        self._queue = ModelQueue(self._model, self._recorder, self.reading.read_next)
        self._queued_labels: dict[str, int] = {}
        self.queued_bytes = 0
        """Approximate bytes of what labels in the queue may change, as if all words were new."""
        self._predictions: list[PredictionRecord] = []
        self.scored_next = 0
        """The offset after the last mail that was scored; its owner sets it to where an earlier task stopped."""

    def add_mail(self, record: Record) -> None:
        """Score the next mail of `reading`, then learn its label if that came before the mail. Raises BadRecord."""
        message = self.reading.take(record)
        next_offset = record.offset + 1
        self._settle(message.id)
        if not self.ledger.record_mail(message.id, next_offset):
            raise known_mail(record, message.id)
        self._queue.score(record, message)
        self._finish(self._queue.take_done())
        self._mail_cache.put(next_offset, message.mail, len(record.value or b""))
        early = self.ledger.entries.get(message.id)
        if early is not None and self._accepts(early.label):
            self._reconcile(msgspec.structs.replace(early, next_offset=next_offset, timestamp=self._noted_at(record)))

    def add_label(self, record: Record) -> None:
        """Learn the next label, or note it until its mail arrives. Raises BadRecord."""
        label = read_label(record)
        self._settle(label.id)
        self._finish(self._queue.take_done())
        entry = self.ledger.record_label(label, self._noted_at(record))
        if label.label is None:
            entry = entry.accepted(self._accepts)
        self._reconcile(entry)

    def take_predictions(self) -> list[PredictionRecord]:
        """Return the predictions of the mails added since the last call, each by the model at the mail's turn."""
        self._finish(self._queue.take())
        predictions, self._predictions = self._predictions, []
        return predictions

    @property
    def delta_bytes(self) -> int:
        """Approximate bytes of the changes since the last `take_delta`, without those of labels in the queue."""
        return self._recorder.nbytes + self._changed_bytes if self._changed else 0

    def expired(self) -> list[Entry]:
        """The entries to evict with the next delta."""
        self._finish(self._queue.take())
        return self.ledger.expired(self._clock(), len(self._changed) + MORE_EVICTED)

    def take_delta(self, labels_next: int, emails_next: int, evicted: tuple[str, ...]) -> Delta | None:
        """Return the changes since the last call; None if nothing changed and the last mail has a prediction.

        A quarantined mail has no prediction, so only a delta can record that the worker got past it.

        Args:
            labels_next: The next offset of the partition of `labels`.
            emails_next: The next offset of the partition of `emails`.
            evicted: Ids of the entries to evict.
        """
        self._finish(self._queue.take())
        checkpoint = self._replica.checkpoint(self._partition)
        recorded = max(checkpoint.emails_next, self.scored_next)
        if not self._changed and not evicted and labels_next == checkpoint.labels_next and emails_next <= recorded:
            return None
        delta = Delta(
            FORMAT,
            self._partition,
            Checkpoint(checkpoint.seq + 1, labels_next, emails_next),
            self._recorder.take(),
            tuple(self._changed.values()),
            evicted,
        )
        self._changed, self._changed_bytes = {}, 0
        return delta

    def _noted_at(self, record: Record) -> float:
        """The record's timestamp in seconds since 1970, at most now: an entry of the future would never expire."""
        return min(record.timestamp, self._clock())

    def _reconcile(self, entry: Entry) -> None:
        """Bring what is learned from a message in line with the vote that counts, and store the entry.

        A label whose mail has not arrived is only stored. Raises BadRecord, and changes nothing, when the mail can no
        longer be read ('mail-gone'), or the label names a new class beyond `max_classes` (`TOO_MANY_CLASSES`).
        """
        if not self._accepts(entry.label):
            most = self._learner.max_classes
            raise BadRecord(TOO_MANY_CLASSES, f"class {entry.label!r} would exceed [learner] max_classes ({most})")
        if not entry.next_offset or entry.reconciled:
            self._finish(self._queue.take())
            self._store(entry, entry.update, entry.halvings)
            return
        mail, vote = self._mail_cache.get(entry.id, entry.next_offset), entry.vote
        if vote is not None and vote.label is not None and self._can_queue(entry, vote):
            self._queued_labels[entry.id] = LABEL_BYTES + self._queue.learn(mail, vote.label, vote.source, entry)
            self.queued_bytes += self._queued_labels[entry.id]
            return
        self._finish(self._queue.take())
        faded_before = 0
        if entry.update is not None:
            faded_before = faded(self._replica.halvings - entry.halvings)
            self._recorder.revert_update(mail, what_is_left(entry.update, faded_before))
        update = None
        if vote is not None and vote.label is not None:
            update = self._learn(mail, vote.label, vote.source, entry.corrects)
        self._store(entry, update, self._replica.halvings, faded_before)

    def _accepts(self, label: Label | None) -> bool:
        known = self._model.classes
        return label is None or len(known) < self._learner.max_classes or label in known

    def _can_queue(self, entry: Entry, vote: LabelVote) -> bool:
        """Whether an entry's label can wait in the queue, to be learned with others.

        The labels before it must decide neither what it counts (a quota), nor the threshold of the mails after it. Its
        entry must be small, because the size of what waits is only estimated. A textbook model would gain nothing.
        """
        plain = entry.update is None and vote.label in self._model.classes and vote.source != SILENCE
        settled = not self._quota.limits and self._policies.policy.lose_at_most is None
        return plain and settled and len(entry.votes) == 1 and isinstance(self._model, MailNB)

    def _learn(self, mail: Mail, label: Label, source: str, corrects: str) -> Update:
        if source != SILENCE and not corrects and not self._quota.limits:
            return self._recorder.learn(mail, label, source)
        update = self._model.grade(mail, label, source)
        if source == SILENCE and isinstance(self._model, MailNB):
            update = unmeasured(update)
        update = self._quota.limit(update._replace(corrects=corrects))
        self._recorder.apply_update(mail, update)
        return update

    def _store(self, entry: Entry, update: Update | None, halvings: int, faded_before: int = 0) -> None:
        """Store an entry with what has been learned from its message."""
        # If a message changes several times in one delta, only its first update can have faded: the rest are new.
        before = self._changed.pop(entry.id, None)
        faded_before = before.faded if before is not None and before.faded else faded_before
        learned = Entry(entry.id, entry.next_offset, entry.timestamp, entry.votes, update, halvings, faded_before)
        self.ledger.put(learned)
        self._changed[entry.id] = learned
        self._changed_bytes += len(entry.id) + self.ledger.entries.nbytes(entry.id)

    def _settle(self, message_id: str) -> None:
        """Take everything from the queue if a label of this message waits in it, because the ledger lacks it."""
        if message_id in self._queued_labels:
            self._finish(self._queue.take())

    def _finish(self, parts: Iterable[list[Outcome]]) -> None:
        """Make the predictions of mails that were scored, and store what was learned."""
        for outcomes in parts:
            policy, now = self._policies.policy, self._clock()
            threshold = min(policy.threshold_for(self._model), MAX_LOG_ODDS)  # JSON has no infinity
            for turn, score, labels_learned, update in outcomes:
                if turn.arrival is not None:
                    record, message = turn.arrival
                    self.scored_next = record.offset + 1
                    self._predictions.append(
                        PredictionRecord(
                            id=message.id,
                            label=policy.decide(score, threshold),
                            log_odds=bounded(score.log_odds),
                            probability=score.probability,
                            positive=self._learner.positive,
                            threshold=threshold,
                            labels_learned=labels_learned,
                            scores={label: bounded(value) for label, value in score.scores.items()},
                            known=score.known,
                            unseen=score.unseen,
                            topic=EMAILS,
                            partition=self._partition,
                            next_offset=self.scored_next,
                            arrived_at=min(record.timestamp, now),  # a producer may write microseconds
                            scored_at=now,
                            subject=message.subject,
                            sender=message.sender,
                            policy=self._policies.offset,
                        )
                    )
                if turn.entry is not None:
                    self.queued_bytes -= self._queued_labels.pop(turn.entry.id)
                    self._store(turn.entry, update, self._replica.halvings)
