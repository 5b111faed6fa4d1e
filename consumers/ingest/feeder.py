"""The feeder: appends mails to the log, and their known labels some mails later.

The timestamps of mails rise by at least a millisecond, and a label has the timestamp of the mail that it follows, so a
worker reads mails and labels in the same order from every log (see `log.time_merge`). With a rate, timestamps are those
of the clock. Without one they are a millisecond apart: up to now if the number of mails is known, else from now on.
"""

from __future__ import annotations

import heapq
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ..errors import UserError
from ..log.base import Log, ProducerRecord
from ..records.heartbeat import FEED, HeartbeatWriter
from ..records.number_text import many
from ..records.schemas import EMAILS, LABELS, LabelRecord, encode
from ..runtime.pause import pause

CHUNK_MAILS = 200
TICKS_PER_S = 20
LONGEST_PAUSE_S = 1.0
"""How long a slow feeder waits until it looks whether to stop, and shows that it is alive."""


class Labelling(NamedTuple):
    """When a mail arrived on a log, and when and by whom it was labelled; times are in seconds since 1970. Of labels of
    the same time, the one with the lower `rank` was the first."""

    arrived_at: float
    labelled_at: float
    source: str
    rank: int = 0


class Item(NamedTuple):
    """One mail to send: its id, its bytes (raw or JSON), its label, if known, and how it got that on a log."""

    id: str
    value: bytes
    label: str | None
    labelling: Labelling | None = None


class FeedTotals(NamedTuple):
    """The numbers of mails and labels sent, and of known labels that were not sent."""

    mails: int
    labels: int
    unsent: int


class Feeder:
    """Sends mails, and their labels after a delay; labels that are not due by the end are sent at the end.

    Args:
        rate: Mails per second; 0 for no limit.
        delays: For each labelled mail, the number of mails to send before its label; None sends no labels.
        source: The source of the labels.
        total: The number of mails, if known.
        progress: Called with the number of mails sent so far.
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
        self._timestamp_ms = int(time.time() * 1000) - (total or 0)
        self._mails = 0
        self._labels = 0
        self._unsent = 0
        self._failure: UserError | None = None
        self._heartbeat = HeartbeatWriter(log, FEED, socket.gethostname())

    def run(self, items: Iterable[Item], stop: Callable[[], bool] = lambda: False) -> FeedTotals:
        """Send all items, or until `stop` returns True, with heartbeats meanwhile; return the totals.

        If `items` raises UserError, the items before it and their labels are sent first.
        """
        with self._heartbeat:
            return self._run(items, stop)

    def _run(self, items: Iterable[Item], stop: Callable[[], bool]) -> FeedTotals:
        started = time.monotonic()
        size = max(1, min(CHUNK_MAILS, int(self._rate / TICKS_PER_S))) if self._rate else CHUNK_MAILS
        remaining = self._readable(items)
        while chunk := list(islice(remaining, size)):
            if stop():
                return self._totals()
            self._log.append([record for item in chunk for record in self._records(item)])
            self._heartbeat.beat()
            self._progress(self._mails)
            while self._rate and not stop() and (left := started + self._mails / self._rate - time.monotonic()) > 0:
                pause(min(left, LONGEST_PAUSE_S))
                self._heartbeat.beat()
        self._log.append(self._labels_due(self._mails + sys.maxsize))
        if self._failure is None:
            return self._totals()
        if self._mails == 0:
            raise self._failure
        before = many(self._mails, "mail before it is", "mails before it are")
        raise UserError(
            f"{self._failure}; {before} on the log, and will not count twice when fed again"
        ) from self._failure

    def _totals(self) -> FeedTotals:
        return FeedTotals(self._mails, self._labels, self._unsent)

    def _readable(self, items: Iterable[Item]) -> Iterator[Item]:
        try:
            yield from items
        except UserError as error:
            self._failure = error

    def _records(self, item: Item) -> list[ProducerRecord]:
        """The record of a mail, and the records of the labels that are due after it."""
        self._mails += 1
        self._timestamp_ms = max(self._timestamp_ms + 1, int(time.time() * 1000) if self._rate else 0)
        if item.label is not None:
            if self._delays is None:
                self._unsent += 1
            else:
                heapq.heappush(self._due, (self._mails + next(self._delays), self._mails, item))
        mail = ProducerRecord(EMAILS, item.id.encode(), item.value, timestamp=self._timestamp_ms / 1000)
        return [mail, *self._labels_due(self._mails)]

    def _labels_due(self, mails: int) -> list[ProducerRecord]:
        """The labels that are due once this number of mails has been sent."""
        records: list[ProducerRecord] = []
        timestamp = self._timestamp_ms / 1000
        while self._due and self._due[0][0] <= mails:
            item = heapq.heappop(self._due)[2]
            record = LabelRecord(item.id, item.label, self._source, timestamp)
            records.append(ProducerRecord(LABELS, item.id.encode(), encode(record), timestamp=timestamp))
        self._labels += len(records)
        return records
