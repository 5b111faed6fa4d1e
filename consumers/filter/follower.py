"""A thread that reads `predictions`: it hands each to the request waiting for it, and records which mails passed."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator

from ..errors import BadRecord, ConsumerError, Restart
from ..log.base import Log, Record, TopicPartition
from ..records.schemas import PREDICTIONS, PredictionRecord, read_prediction
from ..records.skipped import SkippedRecords
from .passed import PassedMails

READ_S = 0.5
PAUSE_S = 1.0

logger = logging.getLogger(__name__)


class PredictionFollower:
    """Follows `predictions`, starting `remember` mails before the end, and adds the ids to `passed`.

    `waiting` returns whether a request waits for an id. `arrived` is called in the thread, with all predictions of one
    read that requests wait for. `caught_up` is set once the end has been reached. With `keep_places`, `read_again`
    finds predictions that were read before.

    Args:
        open_log: Opens the log; called in the thread that uses it, and again after a fault.
    """

    def __init__(
        self,
        open_log: Callable[[], Log],
        remember: int,
        passed: PassedMails,
        waiting: Callable[[str], bool],
        arrived: Callable[[list[PredictionRecord]], None],
        keep_places: bool,
    ) -> None:
        self._open_log = open_log
        self._remember = remember
        self._waiting = waiting
        self._arrived = arrived
        self._passed = passed
        self._skipped = SkippedRecords()
        self._next: dict[TopicPartition, int] = {}
        self._keep_places = keep_places
        self._places: OrderedDict[str, tuple[TopicPartition, int]] = OrderedDict()
        self._again: deque[str] = deque()
        self._failed = False
        self._stop = threading.Event()
        self.caught_up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="filter-follower", daemon=True)
        self._thread.start()

    def read_again(self, message_id: str) -> bool:
        """Pass the prediction of the mail `message_id` to `arrived` again; return False if it has not been read yet.

        A request must already wait for the id.
        """
        found = message_id in self._places
        if found:
            self._again.append(message_id)
        return found

    def close(self) -> None:
        """Stop reading."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with self._open_log() as log:
                    self._follow(log)
            except Restart as error:
                logger.warning("reading the latest predictions again: %s", error)
                self._next = {}
            except ConsumerError as error:
                logger.warning("cannot read predictions, trying again: %s", error)
                self._failed = True
                self._stop.wait(PAUSE_S)
            except Exception:  # if the thread ended, no mail would get an answer
                logger.exception("cannot read predictions, trying again")
                self._failed = True
                self._stop.wait(PAUSE_S)

    def _follow(self, log: Log) -> None:
        if not self._next:
            places = log.places(PREDICTIONS)
            back = self._remember // len(places)
            self._next = {place: max(log.start_offset(place), log.end_offset(place) - back) for place in places}
        while not self._stop.is_set():
            for place in log.places(PREDICTIONS):
                self._next.setdefault(place, 0)  # was added meanwhile
            records = log.read(self._next, timeout_s=READ_S if self.caught_up.is_set() else 0.0)
            if self._failed:
                logger.warning("predictions are read again")
                self._failed = False
            self._handle(records)
            if not records:
                self.caught_up.set()
            self._handle(list(self._reread(log)))

    def _reread(self, log: Log) -> Iterator[Record]:
        while self._again:
            place = self._places.get(self._again[0])
            record = None if place is None else log.read_at(*place)
            self._again.popleft()  # only now, so that a failed read is tried again
            if record is not None:
                yield record

    def _handle(self, records: list[Record]) -> None:
        awaited: list[PredictionRecord] = []
        for record in records:
            self._next[record.place] = max(self._next[record.place], record.offset + 1)
            message_id = (record.key or b"").decode("utf-8", "replace")
            self._passed.add(message_id)
            if self._keep_places:
                self._keep(message_id, record)
            if self._waiting(message_id):
                try:
                    awaited.append(read_prediction(record))
                except BadRecord as error:
                    self._skipped.skip(record, error)
        if awaited:
            self._arrived(awaited)

    def _keep(self, message_id: str, record: Record) -> None:
        self._places[message_id] = (record.place, record.offset)
        if len(self._places) > self._remember:
            self._places.popitem(last=False)
