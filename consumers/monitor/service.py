"""The monitor's loop.

One step is
    1. poll predictions and labels, and put them in order of time;
    2. count them;
    3. look at the model, the quarantine and the ends of the log;
    4. commit: the view, the totals and the positions in one transaction.
A start reads the latest records before the committed positions once more, which fills the windows, and then takes the
stored totals in place of what those records alone would give.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event

from ..errors import BadRecord, Restart
from ..log.base import Log, ProducerRecord, Record, TopicPartition
from ..log.time_merge import TimeMerge
from ..records.foreign import Foreign
from ..records.schemas import EMAILS, LABELS, PREDICTIONS
from ..settings import Settings
from .curves import make_curves
from .heartbeat import HEARTBEAT_S, Heartbeat
from .log_status import LogObserver, LogStatus
from .state import REMEMBER, State
from .topic import CURVES, HEARTBEAT, TOTALS, VIEW, history_record, mail_records, read_last, view_record
from .totals import MonitorTotals, new_totals
from .view import View, make_view

logger = logging.getLogger(__name__)

PUBLISH_S = 1.0
CURVES_S = 3.0
POLL_RECORDS = 2_000


class Monitor:
    """The one member of its group; `clock` is monotonic, `wall_clock` gives seconds since 1970."""

    def __init__(
        self,
        log: Log,
        settings: Settings,
        member: str = "monitor",
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._log = log
        self._settings = settings
        self._clock = clock
        self._wall_clock = wall_clock
        self._membership = log.join(settings.monitor.group, (PREDICTIONS, LABELS), member)
        self._alignment = TimeMerge((PREDICTIONS, LABELS), self._behind)
        self._places = frozenset(
            TopicPartition(topic, partition)
            for topic in (PREDICTIONS, LABELS)
            for partition in range(log.partitions(topic))
        )
        self._assignment: frozenset[TopicPartition] = frozenset()
        self._next_offsets: dict[TopicPartition, int] = {}
        self._rewound: dict[TopicPartition, int] = {}
        self._published_at = self._curves_at = self._beat_at = float("-inf")
        self._curves_old = False
        self._idle_at = 0.0
        self._polled: dict[TopicPartition, int] = {}
        self._held: list[Record] = []
        self.foreign = Foreign()
        self.view: View | None = None

    @property
    def ready(self) -> bool:
        """All partitions are held, and what a restart reads again has been read."""
        return self._assignment == self._places and not self._rewound

    def run(self, stop: Event, beat: Callable[[bool], None] = lambda ready: None) -> None:
        """Watch until `stop` is set; what was counted is published first. Raises Restart."""
        while not stop.is_set():
            self.step()
            beat(self.ready)
        if self.ready:
            self.publish(curves=True)
        self._membership.close()

    def step(self, timeout_s: float = 0.25) -> int:
        """One poll and what follows from it; returns the number of records counted."""
        records = self._membership.poll(POLL_RECORDS, timeout_s)
        if self._membership.assignment != self._assignment:
            self._on_assignment()
            return 0
        if self._assignment != self._places:
            return 0
        self._alignment.add(self._hold_back(records) if self._rewound else records)
        done = 0
        for record in self._alignment.ready():
            self._count(record)
            done += 1
        if self._rewound:
            self._finish_rewind()
            return done
        if self._clock() - self._published_at >= PUBLISH_S:
            self.publish(curves=self._clock() - self._curves_at >= CURVES_S)
        return done

    def publish(self, curves: bool) -> None:
        """Commit the view, if anything has changed since the last time, and a heartbeat, if one is due.

        With `curves` also these, if anything has changed since they were committed.
        """
        self._published_at = self._clock()
        state = self.state
        state.add_learned(self._observer.follow())
        state.add_learned(self._observer.learned(state.changed.values()))
        log_status = self._observer.status(state.scored)
        state.features = log_status.features
        state.advance_to(self._wall_clock())
        self.view = make_view(state, log_status)
        view = view_record(VIEW, self.view)
        drafts: list[ProducerRecord] = []
        if view.value != self._last_view or state.changed:
            self._last_view = view.value
            state.add_history_points()
            drafts += [view, view_record(TOTALS, state.totals()), *mail_records(state.changed.values(), state.scored)]
            drafts += [history_record(slot, point) for (_, slot), point in state.points.items()]
            self._curves_old = True
        if curves and self._curves_old:
            self._curves_at = self._clock()
            self._curves_old = False
            drafts.append(view_record(CURVES, make_curves(state.windows.stats())))
        heartbeat = self._heartbeat(log_status)
        if drafts or self._clock() - self._beat_at >= HEARTBEAT_S:
            self._beat_at = self._clock()
            self._membership.commit([*drafts, view_record(HEARTBEAT, heartbeat)], self._next_offsets)
            state.changed.clear()
            state.points.clear()

    def _heartbeat(self, log_status: LogStatus) -> Heartbeat:
        now = self._wall_clock()
        mails_waiting, labels_waiting = log_status.waiting(EMAILS), log_status.waiting(LABELS)
        if not mails_waiting and not labels_waiting:
            self._idle_at = now
        unread = self._alignment.waiting + sum(self._membership.behind(at) or 0 for at in self._places)
        return Heartbeat(
            timestamp=now,
            mails_waiting=mails_waiting,
            labels_waiting=labels_waiting,
            worker_at=max(self.state.scored_at, self._observer.worker_at),
            idle_at=self._idle_at,
            unread=unread,
        )

    def _count(self, record: Record) -> None:
        try:
            self.state.update(record)
        except BadRecord as error:
            # The worker puts bad labels into quarantine; here they must only not stop the count.
            if record.topic == PREDICTIONS:
                self.foreign.pass_over(record, error)
        self._next_offsets[TopicPartition(record.topic, record.partition)] = record.offset + 1

    def _on_assignment(self) -> None:
        """Begin where the log says: read the latest records again, then take the stored totals."""
        self._assignment = self._membership.assignment
        self._alignment.assign(self._assignment)
        if self._assignment != self._places:
            return
        self._stored = read_last(self._log, TOTALS, MonitorTotals, self.foreign)
        monitor = self._settings.monitor
        self.state = State(self._settings.learner.positive, monitor.audit_per_hour, self._stored or new_totals())
        self._observer = LogObserver(self._log, self._settings, self.foreign)
        self._last_view = b""
        self._next_offsets = {}
        self._rewound, self._polled, self._held = {}, {}, []
        for at in self._places:
            committed, start = self._membership.committed(at), self._log.start_offset(at)
            keep = REMEMBER if at.topic == PREDICTIONS else 2 * REMEMBER
            self._membership.seek(at, max(start, committed - keep))
            if committed > start:
                self._rewound[at] = committed

    def _behind(self, at: TopicPartition) -> int | None:
        """Records still to come, of those that may be counted now: while reading again, those before the committed."""
        if at in self._rewound:
            return 0 if self._read_again(at) else None
        return self._membership.behind(at)

    def _read_again(self, at: TopicPartition) -> bool:
        # The last offset before a committed position may belong to a transaction marker, which is never polled.
        return self._polled.get(at, 0) >= self._rewound[at] or self._membership.behind(at) == 0

    def _hold_back(self, records: list[Record]) -> list[Record]:
        """Put records aside that are newer than the stored totals; returns the others."""
        again = []
        for record in records:
            at = TopicPartition(record.topic, record.partition)
            self._polled[at] = record.offset + 1
            if record.offset < self._rewound.get(at, 0):
                again.append(record)
            else:
                self._held.append(record)
        return again

    def _finish_rewind(self) -> None:
        """Once every partition has been read up to its committed position, the stored totals count."""
        if self._alignment.waiting or not all(self._read_again(at) for at in self._rewound):
            return
        self._next_offsets = dict(self._rewound)
        self._rewound = {}
        if self._stored is not None:
            self.state.restore(self._stored)
        self._alignment.add(self._held)
        self._held = []


def run_monitor(
    open_log: Callable[[], Log],
    settings: Settings,
    stop: Event,
    member: str = "monitor",
    serve: Callable[[Monitor], None] = lambda monitor: None,
    beat: Callable[[bool], None] = lambda ready: None,
) -> None:
    """Watch until `stop` is set; any doubt about what was committed drops all state and starts again from the log.

    `serve` is told of each new Monitor, `beat` of each turn of its loop.
    """
    while not stop.is_set():
        try:
            with open_log() as log:
                monitor = Monitor(log, settings, member)
                serve(monitor)
                monitor.run(stop, beat)
        except Restart as doubt:
            logger.warning("starting again from the log: %s", doubt)
            stop.wait(1.0)
