"""Whether labels come one class after another, as in a sorted table, and not mixed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..records.values import Label
from .feeder import Item

_LABELS_A_CLASS = 10
"""Fewer may be in this order by chance."""


class ClassRuns:
    """Follows the labels of mails, in order."""

    def __init__(self) -> None:
        self._labels = self._runs = 0
        self.classes: set[Label] = set()
        """The classes of the labels so far."""
        self._last: Label | None = None

    def add(self, label: Label | None) -> None:
        """Follow one more `label`; None if the mail has none."""
        if label is not None:
            self._labels += 1
            self._runs += label != self._last
            self.classes.add(label)
            self._last = label

    def watch(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items, and follow their labels."""
        for item in items:
            self.add(item.label)
            yield item

    @property
    def note(self) -> str | None:
        """What to say if the labels come one class after another; None if they do not.

        Nothing is said of a single class, or of fewer than ten labels a class.
        """
        classes = len(self.classes)
        if classes < 2 or self._runs > classes or self._labels < _LABELS_A_CLASS * classes:
            return None
        return "the mails come one class after another, so for long the model knows only some of the classes"
