"""The stage: what the `model` topic gains within a moment becomes one record on `sums`.

It is a `ConsumerLoop` of the `model` topic. A sum and the position after its deltas are one transaction, so that each
delta is in one sum, and a successor goes on where the last sum ends. It learns nothing and keeps nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ..errors import BadRecord
from ..log.base import Log, ProducerRecord, Record
from ..log.consumer_loop import ConsumerLoop
from ..model.changelog import PLACE
from ..model.changelog_reader import read_secret
from ..model.factory import new_model
from ..model.sums import KEPT, Sum, SumBuilder, read_sum
from ..model.sums import PLACE as SUMS_PLACE
from ..records.schemas import MODEL, SUMS
from ..records.skipped import SkippedRecords
from ..runtime.collection import no_collection
from ..settings import Settings

EVERY_S = 0.2
"""So long deltas wait for others: at 20,000 labels a second some thousands share a sum."""
WAIT_BYTES = 1_000_000
"""So much comes from the broker at a time, or what there is in 0.1 s. Taking all that is there at once, the combiner
asked 200 times a second, and 4,000 labels/s in deltas of ten took it 96 us CPU a label, so 49."""
POLL_RECORDS = 500
POLL_S = 0.5
MOST_WAITING = 8
"""Full sums that one commit takes."""


class CombinerStage(ConsumerLoop):
    """One member of the group; `member` is its stable name, `clock` gives seconds and never goes back."""

    def __init__(self, log: Log, settings: Settings, member: str, clock: Callable[[], float] = time.monotonic) -> None:
        consumer = log.join_group(settings.combiner.group, (MODEL,), member, SUMS, WAIT_BYTES)
        super().__init__(consumer, (MODEL,), POLL_RECORDS, POLL_S)
        self._log = log
        self._settings = settings
        self._clock = clock
        self._builder: SumBuilder | None = None
        self._full: list[ProducerRecord] = []
        self._begin = 0
        self._began: float | None = None
        self.skipped = SkippedRecords()

    @property
    def ready(self) -> bool:
        """It holds the partition; another member of the group may."""
        return bool(self.consumer.assignment)

    @property
    def enough(self) -> bool:
        """There are as many sums as a commit takes."""
        return len(self._full) >= MOST_WAITING

    def on_assignment(self) -> None:
        """Begin where the last sum ends, also where the group's position is lost or was set back."""
        self._builder, self._full, self._began = None, [], None
        if not self.ready:
            return
        self._begin, newest = self.consumer.committed(PLACE), self._newest_sum()
        if newest is not None and newest.next_offset <= self._log.end_offset(PLACE):  # else the model began anew
            self._begin = max(self._begin, newest.next_offset)
        self.consumer.seek(PLACE, self._begin)

    def step(self, timeout_s: float | None = None) -> int:
        """As `ConsumerLoop.step`; while deltas wait for others it waits for no more than these may."""
        if self._began is not None and timeout_s is None:
            timeout_s = max(0.0, self._began + EVERY_S - self._clock())
        return super().step(timeout_s)

    def act(self, records: Iterator[Record]) -> None:
        """Add up the records; publish the sum once the first has waited long enough."""
        with no_collection():
            for record in records:
                if self._began is None:
                    self._began = self._clock()
                self._full += self._ready_builder(record).add(record)
        if self._began is not None and (self.enough or self._clock() >= self._began + EVERY_S):
            self._publish()

    def finish(self) -> None:
        """Publish what has been added up."""
        if self._began is not None:
            self._publish()

    def _publish(self) -> None:
        if self._builder is not None:
            self._full.append(self._builder.close())
            self.commit(self._full)
        self._full, self._began = [], None

    def _ready_builder(self, record: Record) -> SumBuilder:
        """What adds up; made at the first record, since there is a secret then."""
        if self._builder is None:
            model = new_model(self._settings.learner, read_secret(self._log))
            newest = self._newest_sum()
            self._builder = SumBuilder(model, self._begin, newest.number if newest is not None else 0, self.skipped)
        return self._builder

    def _newest_sum(self) -> Sum | None:
        newest = None
        for record in self._log.scan(SUMS_PLACE, self._log.end_offset(SUMS_PLACE) - KEPT):
            try:
                newest = read_sum(record)
            except BadRecord as error:
                self.skipped.skip(record, error)
        return newest
