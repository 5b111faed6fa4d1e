"""Follows the monitor's topic and hands what changed to every viewer.

All viewers read one shared table; each asks for what is newer than what it has. A slow viewer builds no queue, it only
gets more at once; and viewers that have the same version get the same bytes, put together once.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..errors import BadRecord
from ..log.base import Log, Record
from ..monitor import topic
from ..monitor.curves import Curves
from ..monitor.heartbeat import Heartbeat
from ..monitor.history import HistoryPoint
from ..monitor.joiner import MailPlace
from ..monitor.mail_row import MailRow
from ..monitor.topic import ViewRecord
from ..monitor.totals import MonitorTotals
from ..monitor.view import View
from ..records.skipped import SkippedRecords

PAUSE_S = 0.1


class _Entry(NamedTuple):
    version: int
    record: ViewRecord


class ViewCache:
    """The newest record of each key of the monitor's topic; `version` grows with each batch read.

    `start_id` is new with each start: versions of another start mean nothing here.
    """

    def __init__(self) -> None:
        self.start_id = secrets.token_hex(4)
        self.version = 0
        self._latest: dict[bytes, _Entry] = {}
        self._mails: dict[MailPlace, MailRow] = {}
        self._lock = threading.Lock()
        self._joined: tuple[tuple[int, int], bytes] | None = None

    def update(self, records: Iterable[tuple[bytes, ViewRecord]]) -> None:
        """Take in a batch of keys and what their records hold, oldest first."""
        with self._lock:
            for key, record in records:
                self._put(key, record)
            self.version += 1

    def _put(self, key: bytes, record: ViewRecord) -> None:
        if isinstance(record.value, MonitorTotals):
            return
        old = self._latest.pop(key, None)
        if old is not None and isinstance(old.record.value, MailRow):
            self._mails.pop(old.record.value.place, None)
        if isinstance(record.value, MailRow):
            self._mails[record.value.place] = record.value
        self._latest[key] = _Entry(self.version + 1, record)

    def find_mail(self, place: MailPlace) -> MailRow | None:
        """The mail at a place of `emails`, if it is among the latest."""
        with self._lock:
            return self._mails.get(place)

    def changes(self, since: int) -> tuple[int, bytes]:
        """The version now, and what is newer than version `since` as one JSON object: mails, points, and (if they are
        newer) view, curves and heartbeat."""
        with self._lock:
            if self._joined is not None and self._joined[0] == (since, self.version):
                return self.version, self._joined[1]
            newer: list[ViewRecord] = []
            for entry in reversed(self._latest.values()):
                if entry.version <= since:
                    break
                newer.append(entry.record)
            joined = _join(newer[::-1])
            self._joined = ((since, self.version), joined)
            return self.version, joined


def _join(records: list[ViewRecord]) -> bytes:
    """Put JSON values together as they are, without encoding them again."""
    parts: list[bytes] = []
    mails: list[bytes] = []
    points: list[bytes] = []
    for value, json in records:
        match value:
            case View():
                parts.append(b'"view":' + json)
            case Curves():
                parts.append(b'"curves":' + json)
            case Heartbeat():
                parts.append(b'"heartbeat":' + json)
            case MailRow():
                mails.append(json)
            case HistoryPoint():
                points.append(json)
            case MonitorTotals():
                pass
    parts.append(b'"mails":[%s],"points":[%s]' % (b",".join(mails), b",".join(points)))
    return b"{%s}" % b",".join(parts)


def follow(cache: ViewCache, open_log: Callable[[], Log], stop: threading.Event) -> None:
    """Read the topic from its start and then what comes, until `stop` is set; made for a thread of its own."""
    skipped = SkippedRecords()
    with open_log() as log:
        next_offset = log.start_offset(topic.MONITOR_PARTITION)
        while not stop.is_set():
            records = topic.read_from(log, next_offset, timeout_s=0.5)
            if not records:
                continue
            next_offset = records[-1].offset + 1
            cache.update(decode_all(records, skipped))
            stop.wait(PAUSE_S)


def decode_all(records: Iterable[Record], skipped: SkippedRecords) -> list[tuple[bytes, ViewRecord]]:
    """Keys and what the records hold. Values go to browsers as they are, so what cannot be read is left out and counted
    by `skipped`."""
    decoded: list[tuple[bytes, ViewRecord]] = []
    for record in records:
        try:
            decoded.append((record.key or b"", topic.decode_record(record)))
        except BadRecord as error:
            skipped.skip(record, error)
    return decoded
