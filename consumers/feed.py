"""The feed: put mails on the log, and the labels that are known, some mails later.

Records carry times that never go back, and a mail that follows a label is at least a millisecond younger, so that a
worker meets mails and labels in the same order on every log (see `alignment`).
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from consumers.log.base import Draft, Log
from consumers.records import EMAILS, LABELS, LabelRecord, encode

CHUNK_MAILS = 200
TICKS_PER_S = 20


class Item(NamedTuple):
    """One mail to send: its id, its bytes (raw or JSON) and its label where one is known."""

    id: str
    value: bytes
    label: str | None


class Fed(NamedTuple):
    """How much was sent."""

    mails: int
    labels: int


class Feed:
    """Sends mails at `rate` a second (0: as fast as the log takes them), labels `delay` mails later.

    `delays` gives, for each labelled mail, after how many more mails its label is sent; None sends no labels.
    What is left at the end is sent at the end. `progress` is told the number of mails sent.
    """

    def __init__(
        self,
        log: Log,
        rate: float = 0.0,
        delays: Iterator[int] | None = None,
        source: str = "feed",
        progress: Callable[[int], None] = lambda mails: None,
    ) -> None:
        self._log = log
        self._rate = rate
        self._delays = delays
        self._source = source
        self._progress = progress
        self._due: list[tuple[int, int, Item]] = []
        self._at_ms = 0
        self._mails = 0
        self._labels = 0

    def run(self, items: Iterable[Item], stop: Callable[[], bool] = lambda: False) -> Fed:
        """Send everything, or until `stop` says so; returns the totals."""
        started = time.monotonic()
        size = max(1, min(CHUNK_MAILS, int(self._rate / TICKS_PER_S))) if self._rate else CHUNK_MAILS
        for chunk in _chunks(items, size):
            if stop():
                return Fed(self._mails, self._labels)
            self._send(chunk)
            if self._rate:
                time.sleep(max(0.0, started + self._mails / self._rate - time.monotonic()))
        self._send_labels(every=True)
        return Fed(self._mails, self._labels)

    def _send(self, items: list[Item]) -> None:
        at = self._next_time()
        self._log.append([Draft(EMAILS, item.id.encode(), item.value, at=at) for item in items])
        for item in items:
            self._mails += 1
            if self._delays is not None and item.label is not None:
                heapq.heappush(self._due, (self._mails + next(self._delays), self._mails, item))
        self._progress(self._mails)
        self._send_labels(every=False)

    def _send_labels(self, every: bool) -> None:
        drafts = []
        at = self._next_time() if self._due else 0.0
        while self._due and (every or self._due[0][0] <= self._mails):
            item = heapq.heappop(self._due)[2]
            record = LabelRecord(item.id, item.label, self._source, at)
            drafts.append(Draft(LABELS, item.id.encode(), encode(record), at=at))
        if drafts:
            self._log.append(drafts)
            self._labels += len(drafts)

    def _next_time(self) -> float:
        self._at_ms = max(int(time.time() * 1000), self._at_ms + 1)
        return self._at_ms / 1000


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
