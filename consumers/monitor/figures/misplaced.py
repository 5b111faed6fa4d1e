"""Labels on another partition than their mail. No worker learns them: a task reads the same partition of both topics.

They come from producers whose client partitions keys differently from the client that wrote the mails.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from ...records.schemas import SILENCE, LabelRecord
from .joiner import ScoredMail


class LabelPartitions:
    """The partition of each mail's newest label, for the latest `remember` labelled mails.

    A label may arrive before its mail. Labels of `SILENCE` are ignored: they are always on their mail's partition.
    """

    def __init__(self, remember: int) -> None:
        self._remember = remember
        self._newest: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def add(self, label: LabelRecord, timestamp: float, partition: int) -> None:
        """Record a label, whose record has this `timestamp` (in seconds since 1970) and `partition`. The one with the
        highest timestamp is the newest, because partitions are read in any order."""
        if label.source == SILENCE:
            return
        self._newest[label.id] = max((timestamp, partition), self._newest.get(label.id, (timestamp, partition)))
        self._newest.move_to_end(label.id)
        if len(self._newest) > self._remember:
            self._newest.popitem(last=False)

    def misplaced(self, mails: Iterable[ScoredMail]) -> int:
        """The number of those mails whose newest label is on another partition than the mail."""
        pairs = ((self._newest.get(mail.prediction.id), mail.prediction.partition) for mail in mails)
        return sum(newest is not None and newest[1] != partition for newest, partition in pairs)
