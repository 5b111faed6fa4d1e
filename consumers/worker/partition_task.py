"""The task: all work on one partition between two commits. Mails are scored here, labels settled, updates collected."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..errors import BadRecord
from ..log.base import Record
from ..model.changelog import FORMAT, Checkpoint, Delta
from ..model.factory import new_policy
from ..model.ledger import Entry
from ..model.mail_cache import MailCache
from ..model.replica import Replica
from ..records.messages import Message, read_message
from ..records.schemas import EMAILS, PredictionRecord
from ..settings import LearnerSettings
from .quota import Quota


class PartitionTask:
    """One partition's mails, labels and the delta they amount to."""

    def __init__(
        self,
        partition: int,
        replica: Replica,
        mail_cache: MailCache,
        learner: LearnerSettings,
        quota: Quota,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._partition = partition
        self._replica = replica
        self._mail_cache = mail_cache
        self._learner = learner
        self._policy = new_policy(learner)
        self._quota = quota
        self._clock = clock
        self.ledger = replica.ledger(partition)
        self._changed: dict[str, Entry] = {}
        self._added = replica.new_delta()
        self._reverted = replica.new_delta()
        self._waiting: list[tuple[Record, Message]] = []
        self._predictions: list[PredictionRecord] = []

    def read(self, record: Record) -> None:
        """Read a mail, which is scored before the model changes, then learn the label that was waiting for it, if any.

        Raises BadRecord.
        """
        message = read_message(record, self._learner.headers)
        next_offset = record.offset + 1
        if not self.ledger.record_mail(message.id, next_offset):
            raise BadRecord("duplicate-id", f"message id {message.id[:80]!r} was seen before")
        self._waiting.append((record, message))
        self._mail_cache.put(message.id, message.mail)
        early = self.ledger.entries.get(message.id)
        if early is not None:
            self.reconcile(Entry(early.id, next_offset, record.timestamp, early.votes, early.update))

    def take_predictions(self) -> list[PredictionRecord]:
        """What the model thought of the mails read since the last call, each when its turn came."""
        self._score()
        predictions, self._predictions = self._predictions, []
        return predictions

    def reconcile(self, entry: Entry) -> None:
        """Make the model's update about a message agree with the vote that counts: take back, give, or leave.

        A label whose mail has not come waits in the ledger. Raises BadRecord('mail-gone') and changes nothing when
        the mail can no longer be read.
        """
        update = entry.update
        if entry.next_offset and not entry.reconciled:
            mail = self._mail_cache.get(entry.id, entry.next_offset)
            self._score()
            model = self._replica.model
            if update is not None:
                model.revert_update(mail, update)
                self._reverted.apply_update(mail, update)
                update = None
            if entry.label is not None:
                update = self._quota.limit(model.grade(mail, entry.label, source=entry.vote.source))
                model.apply_update(mail, update)
                self._added.apply_update(mail, update)
        settled = Entry(entry.id, entry.next_offset, entry.timestamp, entry.votes, update)
        self.ledger.put(settled)
        self._changed[entry.id] = settled

    def take_delta(self, labels_next: int, emails_next: int, dropped: tuple[str, ...]) -> Delta | None:
        """What was learned since the last call, with the entries to let go; None when there is nothing to tell."""
        checkpoint = self._replica.checkpoint(self._partition)
        if not self._changed and not dropped and labels_next == checkpoint.labels_next:
            return None
        delta = Delta(
            FORMAT,
            self._partition,
            Checkpoint(checkpoint.seq + 1, labels_next, emails_next),
            self._added.to_bytes() if self._added.labels_learned else b"",
            self._reverted.to_bytes() if self._reverted.labels_learned else b"",
            tuple(self._changed.values()),
            dropped,
        )
        self._changed = {}
        self._added = self._replica.new_delta()
        self._reverted = self._replica.new_delta()
        return delta

    def _score(self) -> None:
        """Score the mails that have been read, together, by the model as it is now."""
        if not self._waiting:
            return
        model = self._replica.model
        cut, labels_learned, now = self._policy.cut(model), model.labels_learned, self._clock()
        scores = model.score_many([message.mail for _, message in self._waiting])
        for (record, message), score in zip(self._waiting, scores, strict=True):
            prediction = PredictionRecord(
                id=message.id,
                label=self._policy.decide(score, cut),
                log_odds=score.log_odds,
                probability=score.probability,
                positive=self._learner.positive,
                threshold=cut,
                labels_learned=labels_learned,
                scores=score.scores,
                known=score.known,
                unseen=score.unseen,
                topic=EMAILS,
                partition=self._partition,
                next_offset=record.offset + 1,
                arrived_at=record.timestamp,
                scored_at=now,
                subject=message.subject,
                sender=message.sender,
            )
            self._predictions.append(prediction)
        self._waiting = []
