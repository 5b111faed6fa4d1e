"""Follows the monitor's topic and hands what changed to every viewer.

All viewers read one shared table; each asks for what is newer than what it has. A slow viewer builds no queue, it only
gets more at once; and viewers that stand at the same version get the same bytes, put together once.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

import msgspec

from ..log.base import Log
from ..monitor import topic
from ..monitor.view import Row

PAUSE_S = 0.1


class Feed:
    """The newest record of each key of the monitor's topic; `version` grows with each batch read."""

    def __init__(self) -> None:
        self.boot = secrets.token_hex(4)
        self.version = 0
        self._latest: dict[bytes, tuple[int, bytes]] = {}
        self._lock = threading.Lock()
        self._made: tuple[tuple[int, int], bytes] | None = None

    def put(self, records: list[tuple[bytes, bytes]]) -> None:
        """Take in a batch of keys and values, oldest first."""
        with self._lock:
            for key, value in records:
                if key != topic.TOTALS:
                    self._latest.pop(key, None)
                    self._latest[key] = (self.version + 1, value)
            self.version += 1

    def row(self, place: tuple[int, int]) -> Row | None:
        """The mail that stands at a place, if it is among the latest."""
        partition, offset = place
        prefix = b"mail/%d/" % partition
        with self._lock:
            values = [value for key, (_, value) in self._latest.items() if key.startswith(prefix)]
        needle = b"[%d,%d]" % place
        for value in values:
            if needle in value[:60]:
                try:
                    row = topic.decode_row(value)
                except msgspec.MsgspecError:
                    continue
                if row.place == (partition, offset):
                    return row
        return None

    def changes(self, since: int) -> tuple[int, bytes]:
        """The version now, and as one JSON object what is newer than version `since`: view, curves, heartbeat, mails,
        points."""
        with self._lock:
            if self._made is not None and self._made[0] == (since, self.version):
                return self.version, self._made[1]
            newer = []
            for key in reversed(self._latest):
                version, value = self._latest[key]
                if version <= since:
                    break
                newer.append((key, value))
            made = _join(self.version, newer[::-1])
            self._made = ((since, self.version), made)
            return self.version, made


def _join(version: int, records: list[tuple[bytes, bytes]]) -> bytes:
    """Put JSON values together as they are, without decoding them."""
    parts = [b'"version":%d' % version]
    mails, points = [], []
    for key, value in records:
        if key in (topic.VIEW, topic.CURVES, topic.HEARTBEAT):
            parts.append(b'"%s":%s' % (key, value))
        elif key.startswith(b"mail/"):
            mails.append(value)
        elif key.startswith(b"history/"):
            points.append(b"[%s,%s]" % (key.split(b"/")[1], value))
    parts.append(b'"mails":[%s],"points":[%s]' % (b",".join(mails), b",".join(points)))
    return b"{%s}" % b",".join(parts)


def follow(feed: Feed, open_log: Callable[[], Log], stop: threading.Event) -> None:
    """Read the topic from its start and then what comes, until `stop` is set; made for a thread of its own."""
    with open_log() as log:
        next_offset = log.start_offset(topic.AT)
        while not stop.is_set():
            records = topic.read_from(log, next_offset, timeout_s=0.5)
            if not records:
                continue
            next_offset = records[-1].offset + 1
            feed.put([(record.key, record.value) for record in records if record.key and _is_json(record.value)])
            stop.wait(PAUSE_S)


def _is_json(value: bytes | None) -> bool:
    """Values go to browsers as they stand, so what is not JSON stops here."""
    try:
        msgspec.json.decode(value or b"", type=msgspec.Raw)
    except msgspec.MsgspecError:
        return False
    return True
