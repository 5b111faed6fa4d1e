"""Follows the monitor's topic and sends the changes to every viewer.

All viewers read one shared table; each asks for the records newer than its version. A slow viewer builds up no queue,
it only gets more at once. Viewers with the same version get the same bytes, which are joined only once.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..errors import ConsumerError, Restart
from ..log.base import Log, Record
from ..monitor import topic
from ..monitor.figures.curves import Curves
from ..monitor.figures.history import HistoryPoint
from ..monitor.health import NOTHING_KNOWN, Health, HealthObserver, without_log
from ..monitor.mail_row import MailRow
from ..monitor.topic import ViewRecord
from ..monitor.totals import MonitorTotals
from ..monitor.view import View
from ..records.messages import MailPlace
from ..records.schemas import encode
from ..records.skipped import SkippedRecords, readable

PAUSE_S = 0.1
LOOK_S = 2.0
"""Seconds between checks of the stages' health."""
AGAIN_S = 2.0
"""Seconds before a log that does not answer is tried again."""

logger = logging.getLogger(__name__)


class _Entry(NamedTuple):
    version: int
    record: ViewRecord


class ViewCache:
    """The newest record of each key of the monitor's topic; `version` grows with each batch read.

    `start_id` is drawn at each start, because versions of another start are meaningless here, and when the topic was
    created anew: pages forget what came with another one.
    """

    def __init__(self) -> None:
        self.start_id = secrets.token_hex(4)
        self.version = 0
        self._latest: dict[bytes, _Entry] = {}
        self._mails: dict[MailPlace, MailRow] = {}
        self._lock = threading.Lock()
        self._health: tuple[int, bytes] | None = None
        self._joined: tuple[tuple[int, int], bytes] | None = None

    def update(self, records: Iterable[tuple[bytes, ViewRecord]]) -> None:
        """Store a batch of keys and decoded records, oldest first."""
        with self._lock:
            for key, record in records:
                self._put(key, record)
            self.version += 1

    def forget(self) -> None:
        """Forget all records: they are those of a topic that was deleted."""
        with self._lock:
            self.start_id = secrets.token_hex(4)
            self.version += 1
            self._latest.clear()
            self._mails.clear()

    def set_health(self, health: Health) -> None:
        """Store the health of the log and the stages."""
        with self._lock:
            self.version += 1
            self._health = (self.version, encode(health))

    def _put(self, key: bytes, record: ViewRecord) -> None:
        if isinstance(record.value, MonitorTotals):
            return
        old = self._latest.pop(key, None)
        if old is not None and isinstance(row := old.record.value, MailRow) and self._mails.get(row.place) is row:
            del self._mails[row.place]  # else it has another slot since the monitor was restarted
        if isinstance(record.value, MailRow):
            self._mails[record.value.place] = record.value
        self._latest[key] = _Entry(self.version + 1, record)

    def find_mail(self, place: MailPlace) -> MailRow | None:
        """The mail at a place of `emails`; None if it is not among the latest."""
        with self._lock:
            return self._mails.get(place)

    def changes(self, since: int) -> tuple[str, int, bytes]:
        """`start_id`, the current version, and everything newer than version `since` as one JSON object: mails, points,
        and (if newer) view, curves and health."""
        with self._lock:
            if self._joined is not None and self._joined[0] == (since, self.version):
                return self.start_id, self.version, self._joined[1]
            newer: list[ViewRecord] = []
            for entry in reversed(self._latest.values()):
                if entry.version <= since:
                    break
                newer.append(entry.record)
            health = self._health[1] if self._health is not None and self._health[0] > since else None
            joined = _join(newer[::-1], health)
            self._joined = ((since, self.version), joined)
            return self.start_id, self.version, joined


def _join(records: list[ViewRecord], health: bytes | None) -> bytes:
    """Join encoded JSON values without encoding them again."""
    parts = [b'"health":' + health] if health is not None else []
    mails: list[bytes] = []
    points: list[bytes] = []
    for value, json in records:
        match value:
            case View():
                parts.append(b'"view":' + json)
            case Curves():
                parts.append(b'"curves":' + json)
            case MailRow():
                mails.append(json)
            case HistoryPoint():
                points.append(json)
            case MonitorTotals():
                pass
    parts.append(b'"mails":[%s],"points":[%s]' % (b",".join(mails), b",".join(points)))
    return b"{%s}" % b",".join(parts)


def follow(cache: ViewCache, open_log: Callable[[], Log], stop: threading.Event) -> None:
    """Read the topic from its start, then follow it until `stop` is set; runs in its own thread.

    A log that does not answer is opened again with `open_log`.
    """
    skipped = SkippedRecords()
    next_offset = 0
    failed = False
    while not stop.is_set():
        try:
            with open_log() as log:
                next_offset = max(next_offset, log.start_offset(topic.MONITOR_PARTITION))
                while not stop.is_set():
                    records = log.read({topic.MONITOR_PARTITION: next_offset}, timeout_s=0.5)
                    if failed:
                        logger.warning("the log answers again")
                        failed = False
                    if not records:
                        continue
                    next_offset = records[-1].offset + 1
                    cache.update(decode_all(records, skipped))
                    stop.wait(PAUSE_S)
        except ConsumerError as error:
            logger.warning("following the monitor's view again: %s", error)
            failed = True
            if isinstance(error, Restart):
                next_offset = 0
                cache.forget()
            stop.wait(AGAIN_S)


def watch_health(cache: ViewCache, open_log: Callable[[], Log], stop: threading.Event, needed: tuple[str, ...]) -> None:
    """Check the health of the log and the stages, some of which are `needed`, periodically until `stop` is set; runs in
    its own thread. A log that does not answer is opened again with `open_log`."""
    health = NOTHING_KNOWN
    while not stop.is_set():
        try:
            with open_log() as log:
                observer = HealthObserver(log, needed)
                while not stop.is_set():
                    health = observer.look(time.time())
                    cache.set_health(health)
                    stop.wait(LOOK_S)
        except ConsumerError as error:
            health = without_log(health, time.time(), str(error))
            cache.set_health(health)
            stop.wait(AGAIN_S)


def decode_all(records: Iterable[Record], skipped: SkippedRecords) -> list[tuple[bytes, ViewRecord]]:
    """Decode records into keys and values. Browsers get the values unchanged, so unreadable ones are left out, and
    counted by `skipped`."""
    return [(record.key or b"", value) for record, value in readable(records, topic.decode_record, skipped)]
