"""The monitor: a consumer of predictions and labels (`ConsumerLoop`) that counts them and publishes its view.

Once a second it reads the model and quarantine topics and the ends of the log, and commits the view, the totals and the
positions in one transaction. A start rereads the latest records before the committed positions, which fills the
windows, and then replaces the totals of those records by the stored ones.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator

from ..errors import BadRecord, Restart
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..log.consumer_loop import ConsumerLoop
from ..records.heartbeat import HEARTBEAT_S
from ..records.schemas import LABELS, PREDICTIONS
from ..records.skipped import SkippedRecords
from ..settings import Settings
from .figures.curves import make_curves
from .health import Health, HealthObserver
from .latest import Rewind, first_offsets
from .log_status import LogObserver
from .stages import needed_stages
from .state import REMEMBER, State
from .topic import CURVES, TOTALS, VIEW, history_record, mail_records, read_last, view_record
from .totals import MonitorTotals, ReadUpTo, new_totals
from .view import View, make_view

logger = logging.getLogger(__name__)

PUBLISH_S = 1.0
CURVES_S = 3.0
POLL_RECORDS = 2_000
POLL_S = 0.25
PATIENCE_S = 10.0
"""How long other partitions wait for the next records of one that cannot be read."""


class Monitor(ConsumerLoop):
    """A member of the monitor group, in which one member counts and the others stand by.

    `member` is its name in the group, unchanged after a restart. `clock` is monotonic, `wall_clock` returns seconds
    since 1970.
    """

    def __init__(
        self,
        log: Log,
        settings: Settings,
        member: str = "monitor",
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        topics = (PREDICTIONS, LABELS)
        consumer = log.join_group(settings.monitor.group, topics, member, single_active=True)
        super().__init__(consumer, topics, POLL_RECORDS, POLL_S, together=True)
        self._log = log
        self._settings = settings
        self._clock = clock
        self._wall_clock = wall_clock
        self._places = frozenset(log.places(*topics))
        self._rewind: Rewind | None = None
        self._waited_since: dict[TopicPartition, float] = {}
        self._published_at = self._curves_at = self._looked_at = float("-inf")
        self._curves_old = False
        self.skipped = SkippedRecords()
        self.view: View | None = None
        self.health: Health | None = None

    @property
    def ready(self) -> bool:
        """Whether all partitions are assigned and the rereading of a start is over."""
        return self.consumer.assignment == self._places and self._rewind is None

    def on_assignment(self) -> None:
        """Load the stored totals and reread the latest records before the committed positions."""
        if not self.consumer.assignment <= self._places:
            raise Restart(f"{PREDICTIONS} and {LABELS} have more partitions than when this monitor started")
        if self.consumer.assignment != self._places:
            # Another process continues the count, so the figures here are out of date.
            self._rewind = self.view = self.health = None
            group = self._settings.monitor.group
            logger.warning("another monitor of group %r is active; this one takes over when it ends", group)
            return
        self._stored = read_last(self._log, TOTALS, MonitorTotals, self.skipped)
        learner, totals = self._settings.learner, self._stored or new_totals()
        self.state = State(learner.positive, self._settings.monitor.audit_per_hour, totals, learner.max_classes)
        self._observer = LogObserver(self._log, self._settings, self.skipped)
        self._health_observer = HealthObserver(self._log, needed_stages(learner))
        self._last_view = b""
        ends = {place: max(self._log.start_offset(place), self._counted_up_to(place)) for place in self._places}
        firsts: dict[TopicPartition, int] = {}
        for topic, latest in ((PREDICTIONS, REMEMBER), (LABELS, 2 * REMEMBER)):
            of_topic = {place: end for place, end in ends.items() if place.topic == topic}
            firsts |= first_offsets(self._log, of_topic, latest)
        self.state.known_classes = totals.classes if any(firsts.values()) else {}  # else they come again in turn
        self._committed |= ends
        self._rewind = Rewind(self.consumer, firsts, ends)
        self._waited_since = {}
        self._end_rewind()

    def _counted_up_to(self, place: TopicPartition) -> int:
        """The committed position, or that of the stored totals if it is later and not beyond the partition's end.

        At most the end, even if the partition has lost records: Kafka's client would begin at the oldest one.
        """
        end = self._log.end_offset(place)
        for each in self._stored.read_up_to if self._stored is not None else ():
            if place == (each.topic, each.partition) and each.next_offset <= end:
                return min(end, self.resume_at(place, each.next_offset))
        return min(end, self.consumer.committed(place))

    def admit(self, records: list[Record]) -> list[Record]:
        """No records unless all partitions are held; while rereading, only those before the committed positions.

        A producer's clock may be ahead. Its record must not age all others, nor wait for them, so it gets the time at
        which it is read.
        """
        if self.consumer.assignment != self._places:
            return []
        for place in {record.place for record in records}:
            self._waited_since.pop(place, None)
        now = self._wall_clock()
        records = [record if record.timestamp <= now else record._replace(timestamp=now) for record in records]
        return records if self._rewind is None else self._rewind.admit(records)

    def lag(self, place: TopicPartition) -> int | None:
        """The consumer's lag, or 0 after `PATIENCE_S` without a record; while rereading, `Rewind.lag`."""
        if self._rewind is not None:
            return self._rewind.lag(place)
        if (lag := self.consumer.lag(place)) == 0:
            self._waited_since.pop(place, None)
            return 0
        since = self._waited_since.setdefault(place, self._clock())
        return lag if self._clock() - since < PATIENCE_S else 0

    def act(self, records: Iterator[Record]) -> None:
        """Count the records, and publish if due."""
        for record in records:
            self._count(record)
        self._end_rewind()
        if self.ready and self._clock() - self._published_at >= PUBLISH_S:
            self.publish(curves=self._clock() - self._curves_at >= CURVES_S)

    def _end_rewind(self) -> None:
        """Restore the stored totals once all records before the committed positions have been reread."""
        if self._rewind is None or self.waiting or not self._rewind.finish():
            return
        self._rewind = None
        self.next_offsets = {}
        if self._stored is not None:
            self.state.restore(self._stored)

    def finish(self) -> None:
        """Publish the final figures."""
        if self.ready:
            self.publish(curves=True)

    def publish(self, curves: bool) -> None:
        """Commit the view if it changed since the last commit, and, with `curves`, the curves if they may have changed.

        Every `HEARTBEAT_S` seconds, also update the health of the stages.
        """
        self._published_at = self._clock()
        state = self.state
        state.add_learned(self._observer.follow())
        state.add_learned(self._observer.learned(state.changed.values()))
        log_status = self._observer.status(state.scored, state.sources.counts)
        state.features = log_status.features
        if not self.waiting and not any(map(self.lag, self._places)):  # else the history would lack the unread records
            now = self._wall_clock()
            state.advance_to(now)
            state.now = now  # the clock may have been set back
        view = make_view(state, log_status)
        shown = view_record(VIEW, view)
        records: list[ProducerRecord] = []
        if shown.value != self._last_view or state.changed:
            self._last_view = shown.value
            state.add_history_points()
            records += [shown, view_record(TOTALS, self._totals()), *mail_records(state.changed.values(), state.scored)]
            records += [history_record(slot, point) for (_, slot), point in state.points.items()]
            self._curves_old = True
        if curves and self._curves_old:
            self._curves_at = self._clock()
            self._curves_old = False
            records.append(view_record(CURVES, make_curves(state.windows.stats(), state.threshold)))
        if records or self.next_offsets:
            self.commit(records)
            state.changed.clear()
            state.points.clear()
        self.view = view  # only now: after a failed commit counters would fall, which Prometheus takes for a reset to 0
        if self._clock() - self._looked_at >= HEARTBEAT_S:
            self._looked_at = self._clock()
            self.health = self._health_observer.look(self._wall_clock())
            self._log.append(self._health_observer.heartbeats.expired(self._wall_clock()))

    def _totals(self) -> MonitorTotals:
        totals = self.state.totals()
        totals.read_up_to = [
            ReadUpTo(*place, offset) for place, offset in (self._committed | self.next_offsets).items()
        ]
        return totals

    def _count(self, record: Record) -> None:
        try:
            self.state.update(record)
        except BadRecord as error:
            # The worker quarantines bad labels; the monitor only ignores them.
            if record.topic == PREDICTIONS:
                self.skipped.skip(record, error)
