"""The mails of one partition that wait for a label, and the labels of silence when their time is up."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from ..model.silence import sure_label
from ..records.schemas import SILENCE, LabelRecord, PredictionRecord
from ..records.values import Label


class WaitingMail(NamedTuple):
    """A mail that nobody has labelled: the label that it will get, the time since when it waits (seconds since 1970),
    the offset of its prediction, the number of predictions up to that, and the next offset of `labels` at that time."""

    label: Label
    since: float
    offset: int
    number: int
    labels_next: int


class WaitingMails:
    """The unlabelled mails with a sure prediction among the latest `most` mails, oldest first.

    A label removes its mail, whether it comes before or after the prediction, and even if it was withdrawn since:
    somebody has looked at that mail.

    Args:
        most: How many of the latest mails a worker can still find when their label comes; older ones are dropped.
        junk_is_read: Whether mails that were predicted positive wait, too.
    """

    def __init__(self, most: int, junk_is_read: bool = True) -> None:
        self._most = most
        self._junk_is_read = junk_is_read
        self._predictions = 0  # counted, because on Kafka the end of each transaction takes an offset, too
        self._mails: OrderedDict[str, WaitingMail] = OrderedDict()
        self._labelled: OrderedDict[str, None] = OrderedDict()
        self.lost = 0
        """Number of mails that were dropped because `most` mails or more came after them."""

    @property
    def oldest(self) -> WaitingMail | None:
        """The mail that has waited longest; None if no mail waits."""
        return next(iter(self._mails.values()), None)

    def add_prediction(self, prediction: PredictionRecord, since: float, offset: int, labels_next: int) -> None:
        """Count a mail, and let it wait if its prediction was sure and nobody has labelled it.

        Args:
            prediction: The mail's prediction.
            since: When the prediction was appended, in seconds since 1970.
            offset: The prediction's offset on `predictions`, greater than all before.
            labels_next: The next offset of `labels` now.
        """
        self._predictions += 1
        while (oldest := self.oldest) is not None and self._predictions - oldest.number >= self._most:
            self._mails.popitem(last=False)
            self.lost += 1
        label = sure_label(prediction)
        waits = self._junk_is_read or not prediction.is_positive
        if label is not None and waits and prediction.id not in self._labelled:
            # A second prediction of a mail must not move it: `oldest` says where a successor begins to read.
            mail = WaitingMail(label, since, offset, self._predictions, labels_next)
            self._mails.setdefault(prediction.id, mail)

    def add_label(self, label: LabelRecord) -> None:
        """Remove the mail of a label. A label of `SILENCE` is from an earlier run with other positions, and has no
        effect on predictions that are still to come."""
        if self._mails.pop(label.id, None) is not None or label.source == SILENCE:
            return
        self._labelled[label.id] = None
        if len(self._labelled) > self._most:
            self._labelled.popitem(last=False)

    def take(self, until: float, limit: int, now: float) -> list[LabelRecord]:
        """Remove the mails that have waited since `until` or earlier, at most `limit` (1 or more), and return their
        labels, given at `now`, oldest first. Both times are in seconds since 1970."""
        labels: list[LabelRecord] = []
        while len(labels) < limit and (oldest := self.oldest) is not None and oldest.since <= until:
            message_id, mail = self._mails.popitem(last=False)
            labels.append(LabelRecord(message_id, mail.label, SILENCE, now))
        return labels
