"""The mails of one partition that may still be labelled, and what has become of them when their time is up."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from stream_nb.types import Label

from ..model.silence import sure_label
from ..records.schemas import SILENCE, LabelRecord, PredictionRecord


class WaitingMail(NamedTuple):
    """A mail that nobody has labelled: the label that it gets if nobody does, since when it waits (seconds since 1970),
    the offset of its prediction, and the next offset of `labels` then."""

    label: Label
    since: float
    offset: int
    labels_next: int


class WaitingMails:
    """Sure predictions of the latest `most` mails, the oldest first, without those that somebody has labelled.

    A label counts whichever comes first, it or the prediction, and also when it has been withdrawn since: somebody has
    looked at that mail.

    Args:
        most: Mails that a worker can still find when their label comes. Of older ones nothing is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._mails: OrderedDict[str, WaitingMail] = OrderedDict()
        self._labelled: OrderedDict[str, None] = OrderedDict()
        self.lost = 0
        """Mails that were let go since there were more than `most` after them."""

    def __len__(self) -> int:
        return len(self._mails)

    @property
    def oldest(self) -> WaitingMail | None:
        """The mail that waits longest."""
        return next(iter(self._mails.values()), None)

    def add_prediction(self, prediction: PredictionRecord, since: float, offset: int, labels_next: int) -> None:
        """Let a mail wait, if its prediction was sure and nobody has labelled it.

        Args:
            prediction: The mail's prediction.
            since: When the log took it, in seconds since 1970.
            offset: Its offset on `predictions`, greater than those before.
            labels_next: The next offset of `labels` now.
        """
        while self._mails and offset - next(iter(self._mails.values())).offset >= self._most:
            self._mails.popitem(last=False)
            self.lost += 1
        label = sure_label(prediction)
        if label is not None and prediction.id not in self._labelled:
            self._mails[prediction.id] = WaitingMail(label, since, offset, labels_next)

    def add_label(self, label: LabelRecord) -> None:
        """Let the mail that a label is about wait no longer; one of `SILENCE` was given when the group's positions were
        others, and says nothing of predictions to come."""
        if self._mails.pop(label.id, None) is not None or label.source == SILENCE:
            return
        self._labelled[label.id] = None
        if len(self._labelled) > self._most:
            self._labelled.popitem(last=False)

    def take(self, until: float, limit: int, now: float) -> list[LabelRecord]:
        """The labels of mails that wait since `until` or longer, the oldest first; they wait no longer.

        Args:
            until: Seconds since 1970.
            limit: Most labels to give, 1 or more.
            now: When they are given, in seconds since 1970.
        """
        labels: list[LabelRecord] = []
        while len(labels) < limit and (oldest := self.oldest) is not None and oldest.since <= until:
            message_id, mail = self._mails.popitem(last=False)
            labels.append(LabelRecord(message_id, mail.label, SILENCE, now))
        return labels
