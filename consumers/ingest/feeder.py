"""The feed: put mails on the log, and the labels that are known, some mails later.

Each mail is at least a millisecond younger than the one before, and a label has the time of the mail it follows, so
that a worker meets mails and labels in the same order on every log (see `alignment`). With a rate, times are real.
Without one the feed is a replay: a mail a millisecond, the last one about now.
"""

from __future__ import annotations

import heapq
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..log.base import Log, ProducerRecord
from ..records.schemas import EMAILS, LABELS, LabelRecord, encode
from ..runtime.pause import pause

CHUNK_MAILS = 200
TICKS_PER_S = 20


class Item(NamedTuple):
    """One mail to send: its id, its bytes (raw or JSON) and its label where one is known."""

    id: str
    value: bytes
    label: str | None


class FeedTotals(NamedTuple):
    """How much was sent."""

    mails: int
    labels: int


class Feeder:
    """Sends mails at `rate` a second (0: as fast as the log takes them), labels `delay` mails later.

    `delays` gives, for each labelled mail, after how many more mails its label is sent; None sends no labels.
    What is left at the end is sent at the end. `total` is the number of mails where known, `progress` is told the
    number sent.
    """

    def __init__(
        self,
        log: Log,
        rate: float = 0.0,
        delays: Iterator[int] | None = None,
        source: str = "feed",
        total: int | None = None,
        progress: Callable[[int], None] = lambda mails: None,
    ) -> None:
        self._log = log
        self._rate = rate
        self._delays = delays
        self._source = source
        self._progress = progress
        self._due: list[tuple[int, int, Item]] = []
        self._at_ms = int(time.time() * 1000) - (total or 0)
        self._mails = 0
        self._labels = 0

    def run(self, items: Iterable[Item], stop: Callable[[], bool] = lambda: False) -> FeedTotals:
        """Send everything, or until `stop` says so; returns the totals."""
        started = time.monotonic()
        size = max(1, min(CHUNK_MAILS, int(self._rate / TICKS_PER_S))) if self._rate else CHUNK_MAILS
        for chunk in _chunks(items, size):
            if stop():
                return FeedTotals(self._mails, self._labels)
            self._log.append([draft for item in chunk for draft in self._drafts(item)])
            self._progress(self._mails)
            if self._rate:
                pause(max(0.0, started + self._mails / self._rate - time.monotonic()))
        self._log.append(self._labels_due(self._mails + sys.maxsize))
        return FeedTotals(self._mails, self._labels)

    def _drafts(self, item: Item) -> list[ProducerRecord]:
        self._mails += 1
        self._at_ms = max(self._at_ms + 1, int(time.time() * 1000) if self._rate else 0)
        if self._delays is not None and item.label is not None:
            heapq.heappush(self._due, (self._mails + next(self._delays), self._mails, item))
        mail = ProducerRecord(EMAILS, item.id.encode(), item.value, timestamp=self._at_ms / 1000)
        return [mail, *self._labels_due(self._mails)]

    def _labels_due(self, mails: int) -> list[ProducerRecord]:
        drafts = []
        at = self._at_ms / 1000
        while self._due and self._due[0][0] <= mails:
            item = heapq.heappop(self._due)[2]
            record = LabelRecord(item.id, item.label, self._source, at)
            drafts.append(ProducerRecord(LABELS, item.id.encode(), encode(record), timestamp=at))
        self._labels += len(drafts)
        return drafts


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
