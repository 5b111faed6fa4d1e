"""Labels on another partition than their mail: a worker, which sees one partition of both, never learns them.

They come from producers whose clients choose partitions otherwise than those of the mails.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from ..records.schemas import SILENCE, LabelRecord
from .joiner import ScoredMail


class LabelPartitions:
    """On which partition the newest label of a mail lies, of the latest `remember` labelled mails.

    The label may come before its mail. Those of `SILENCE` lie beside their mails.
    """

    def __init__(self, remember: int) -> None:
        self._remember = remember
        self._newest: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def add(self, label: LabelRecord, timestamp: float, partition: int) -> None:
        """Note a label. Partitions are read in any order, so the newest is the one with the highest timestamp.

        Args:
            label: The label.
            timestamp: Of its record, in seconds since 1970.
            partition: That it lies on.
        """
        if label.source == SILENCE:
            return
        self._newest[label.id] = max((timestamp, partition), self._newest.get(label.id, (timestamp, partition)))
        self._newest.move_to_end(label.id)
        if len(self._newest) > self._remember:
            self._newest.popitem(last=False)

    def misplaced(self, mails: Iterable[ScoredMail]) -> int:
        """How many of these mails have their newest label on another partition than their own.

        Args:
            mails: The mails.
        """
        places = ((self._newest.get(mail.prediction.id), mail.prediction.partition) for mail in mails)
        return sum(newest is not None and newest[1] != partition for newest, partition in places)
