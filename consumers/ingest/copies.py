"""Copies: labelled mails with the id of an earlier one, such as a mail in two folders. A log scores only the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .feeder import Item


class Copies:
    """Finds and counts the copies among mails. A mail without a label is no copy and has none."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self.count = 0

    def watch(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items, and count the copies."""
        for item in items:
            self._found(item)
            yield item

    def leave_out(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items without the copies, which are counted."""
        return (item for item in items if not self._found(item))

    def _found(self, item: Item) -> bool:
        if item.label is None:
            return False
        found = item.id in self._ids
        self._ids.add(item.id)
        self.count += found
        return found
