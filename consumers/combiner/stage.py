"""The combiner stage: adds up the records that are appended to `model` within `EVERY_S`, and writes the sum to `sums`.

It is a `ConsumerLoop` over the `model` topic. A sum and the position after its deltas are one transaction, so each
delta is in exactly one sum, and a successor continues where the last sum ends. It learns nothing and has no state.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ..log.base import Log, ProducerRecord, Record
from ..log.consumer_loop import ConsumerLoop
from ..log.outputs import wait_for_outputs
from ..model.changelog import MODEL_PARTITION
from ..model.changelog_reader import read_secret
from ..model.factory import model_of_log
from ..model.sums import KEPT, SUMS_PARTITION, Sum, SumBuilder, read_sum
from ..records.schemas import MODEL, SUMS
from ..records.skipped import SkippedRecords, readable
from ..runtime.collection import no_collection
from ..settings import Settings

EVERY_S = 0.2
"""How long deltas wait for others: at 20,000 labels a second a few thousand labels share a sum."""
WAIT_BYTES = 1_000_000
"""The broker collects this many bytes, or for 0.1 s, before it answers. Without it the combiner fetched 200 times a
second, and 4,000 labels/s in deltas of ten took 96 us CPU per label instead of 49."""
POLL_RECORDS = 500
POLL_S = 0.5
MOST_WAITING = 8
"""Most full sums in one commit."""
LATEST = 10
"""How many of the last offsets of `sums` are read first for the newest sum, because all sums may be a gigabyte."""


class CombinerStage(ConsumerLoop):
    """One member of the group; `member` is its stable name, `clock` a monotonic clock in seconds."""

    def __init__(self, log: Log, settings: Settings, member: str, clock: Callable[[], float] = time.monotonic) -> None:
        consumer = log.join_group(settings.combiner.group, (MODEL,), member, SUMS, WAIT_BYTES)
        super().__init__(consumer, (MODEL,), POLL_RECORDS, POLL_S)
        self._log = log
        self._settings = settings
        self._clock = clock
        self._builder: SumBuilder | None = None
        self._full: list[ProducerRecord] = []
        self._first_offset = 0
        self._last_number = 0
        self._waiting_since: float | None = None
        self.skipped = SkippedRecords()

    @property
    def enough(self) -> bool:
        """Whether there are enough sums for a commit."""
        return len(self._full) >= MOST_WAITING

    def on_assignment(self) -> None:
        """Begin where the last sum ends, even if the group's position was lost or set back."""
        self._builder, self._full, self._waiting_since = None, [], None
        if not self.ready:  # the partition is assigned to another member
            return
        wait_for_outputs(self._log, [SUMS_PARTITION], self.beat)
        self._first_offset, newest = self.consumer.committed(MODEL_PARTITION), self._newest_sum()
        self._last_number = newest.number if newest is not None else 0
        # A sum beyond the end is of a `model` topic that was deleted and created again.
        if newest is not None and newest.next_offset <= self._log.end_offset(MODEL_PARTITION):
            self._first_offset = self.resume_at(MODEL_PARTITION, newest.next_offset)
        self.consumer.seek(MODEL_PARTITION, self._first_offset)

    def step(self, timeout_s: float | None = None) -> int:
        """Like `ConsumerLoop.step`, but while deltas wait for others, poll no longer than until their sum is due."""
        if self._waiting_since is not None and timeout_s is None:
            timeout_s = max(0.0, self._waiting_since + EVERY_S - self._clock())
        return super().step(timeout_s)

    def act(self, records: Iterator[Record]) -> None:
        """Add up the records; publish the sum once the first has waited long enough."""
        with no_collection():
            for record in records:
                if self._waiting_since is None:
                    self._waiting_since = self._clock()
                if (builder := self._ready_builder()) is not None:
                    self._full += builder.add(record)
        if self._waiting_since is not None and (self.enough or self._clock() >= self._waiting_since + EVERY_S):
            self._publish()

    def finish(self) -> None:
        """Publish the last sum."""
        if self._waiting_since is not None:
            self._publish()

    def _publish(self) -> None:
        if self._builder is not None:
            self._full.append(self._builder.close())
            self.commit(self._full)
        self._full, self._waiting_since = [], None

    def _ready_builder(self) -> SumBuilder | None:
        """The builder of the next sum; None while the log has no secret, and so no deltas."""
        if self._builder is None and (secret := read_secret(self._log)) is not None:
            model = model_of_log(self._settings.learner, secret)
            self._builder = SumBuilder(model, self._first_offset, self._last_number, self.skipped)
        return self._builder

    def _newest_sum(self) -> Sum | None:
        newest, end = None, self._log.end_offset(SUMS_PARTITION)
        for offsets in (LATEST, KEPT):
            for _, total in readable(self._log.scan(SUMS_PARTITION, end - offsets), read_sum, self.skipped):
                newest = total
            if newest is not None:
                break
        return newest
