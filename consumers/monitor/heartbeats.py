"""The latest heartbeat of each process on a log."""

from __future__ import annotations

import msgspec

from ..errors import BadRecord
from ..log.base import Log, ProducerRecord
from ..records.heartbeat import HEALTH_PARTITION, HEARTBEAT_S, HeartbeatRecord, heartbeat_key, read_heartbeat
from ..records.schemas import HEALTH
from ..records.skipped import SkippedRecords

EXPIRED_S = 7 * 86_400.0
RESTARTS_S = 60.0
"""The time in which restarts are counted."""
ENDED_S = 2 * HEARTBEAT_S
"""Without a heartbeat for so long, a process of a name with newer ones has ended."""
MAX_MEMBERS = 1_000
FIRST_READ_S, READ_S = 5.0, 1.0
"""Timeouts of the first read and of later ones. A slow broker may take seconds, and without the first heartbeats the
stages seem never to have run."""


class LatestHeartbeats:
    """Follows the topic `health`. The times of heartbeats are those of this process's clock, as far as it knows."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._next_offset = log.start_offset(HEALTH_PARTITION)
        self._latest: dict[bytes, HeartbeatRecord] = {}
        self._beat_at: dict[tuple[bytes, float], float] = {}  # by key and start, of processes that have not stopped
        self._followed_at = 0.0
        self._skipped = SkippedRecords()

    def follow(self, now: float) -> list[HeartbeatRecord]:
        """Read the new heartbeats at `now` (in seconds since 1970); return the latest one of each process. Raises
        LogUnavailable."""
        end = self._log.end_offset(HEALTH_PARTITION)
        since = self._followed_at
        if end < self._next_offset:  # the topic was created anew
            self._next_offset, self._latest = 0, {}
        while self._next_offset < end:
            records = self._log.read({HEALTH_PARTITION: self._next_offset}, timeout_s=READ_S if since else FIRST_READ_S)
            if not records:
                return [*self._latest.values()]
            for record in records:
                self._next_offset = record.offset + 1
                self._latest.pop(record.key or b"", None)
                if record.value is None:
                    continue
                try:
                    beat = read_heartbeat(record)
                except BadRecord as error:
                    self._skipped.skip(record, error)
                    continue
                written_at = within(beat.timestamp, since, now)
                if beat.timestamp <= now:  # else its clock is ahead: it does not tell when the later ones were written
                    since = written_at
                self._latest[record.key or b""] = msgspec.structs.replace(beat, timestamp=written_at)
                self._beat_at[record.key or b"", beat.started_at] = float("-inf") if beat.stopped else written_at
            while len(self._latest) > MAX_MEMBERS:
                del self._latest[next(iter(self._latest))]
        self._followed_at = now
        self._beat_at = {process: at for process, at in self._beat_at.items() if now - at < RESTARTS_S}
        return [*self._latest.values()]

    def restarts(self, beat: HeartbeatRecord) -> int:
        """How many other processes of the name in a heartbeat that `follow` returned last have written in the last
        `RESTARTS_S`, and failed: they write no longer, and did not say that they stop. Others that still run, as of
        feeders that share a name, do not count."""
        own = heartbeat_key(beat.stage, beat.member)
        return sum(
            key == own and started_at != beat.started_at and self._followed_at - beat_at > ENDED_S
            for (key, started_at), beat_at in self._beat_at.items()
        )

    def expired(self, now: float) -> list[ProducerRecord]:
        """Tombstones for heartbeats older than `EXPIRED_S` at `now` (in seconds since 1970), except the last one of
        each stage."""
        last = {beat.stage: key for key, beat in self._latest.items()}
        return [
            ProducerRecord(HEALTH, key, None, 0)
            for key, beat in self._latest.items()
            if now - beat.timestamp > EXPIRED_S and last[beat.stage] != key
        ]


def within(timestamp: float, since: float, now: float) -> float:
    """When a heartbeat was written whose process believes that it was at `timestamp`: after `since`, when it was not
    there yet, and not after `now`, when it is. All are in seconds since 1970.

    >>> within(3600.0, 10.0, 15.0), within(12.0, 10.0, 15.0)
    (15.0, 12.0)
    """
    return min(max(timestamp, since), now)
