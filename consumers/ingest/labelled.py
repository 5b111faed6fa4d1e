"""The mails of a source that a model can learn: those that can be parsed and have a label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from stream_nb.types import Mail

from ..errors import BadRecord
from ..records.messages import read_value
from ..records.values import Label
from .feeder import Item, Labelling


class LabelledMail(NamedTuple):
    """A mail as the learner reads it, its label, and how it got that on a log."""

    mail: Mail
    label: Label
    labelling: Labelling | None


class LabelledMails:
    """Iterates over mails with their labels, and counts the mails that it skips: `unlabelled` and `unreadable`.

    Args:
        items: The mails, in order.
        headers: Which headers to read: ``keep`` or ``safe``, as in `[learner] headers`.
    """

    def __init__(self, items: Iterable[Item], headers: str) -> None:
        self._items = items
        self._headers = headers
        self.unlabelled = self.unreadable = 0

    def __iter__(self) -> Iterator[LabelledMail]:
        for item in self._items:
            if item.label is None:
                self.unlabelled += 1
                continue
            try:
                mail = read_value(item.value, item.id, self._headers).mail
            except BadRecord:
                self.unreadable += 1
                continue
            yield LabelledMail(mail, item.label, item.labelling)

    @property
    def left_out(self) -> int:
        """The number of mails skipped so far."""
        return self.unlabelled + self.unreadable
