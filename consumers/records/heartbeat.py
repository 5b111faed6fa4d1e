"""Heartbeats: every few seconds each stage writes that it lives and how far it is, so that silence can be noticed.

They are on the compacted topic `health`, one key a process: ``worker/host-0``. Nothing is computed from them but what
people are shown, so they are no part of a stage's commit.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from stream_nb import __version__

from ..errors import UNDECODABLE, BadRecord
from ..log.base import ProducerRecord, Record, TopicPartition
from ..log.consumer_loop import Progress
from .schemas import EMAILS, HEALTH, LABELS, MODEL, PREDICTIONS, encode
from .values import Number, Time

HEALTH_PARTITION = TopicPartition(HEALTH, 0)
HEARTBEAT_S = 5.0
STARTING_S = 1.0
MAX_NAME_CHARS = 300
MAX_PLACE_CHARS = 55

WORKER, MONITOR, FEED, FILTER = "worker", "monitor", "feed", "filter"
SILENCE, COMBINER = "silence", "combiner"
STAGES = (WORKER, MONITOR, FEED, FILTER, SILENCE, COMBINER)
CONSUMED = (EMAILS, LABELS, PREDICTIONS, MODEL)


class PartitionProgress(msgspec.Struct, frozen=True):
    """How far a stage is in one partition: the offset after what it has committed, and the records it has yet to do."""

    topic: str
    partition: Number
    next_offset: Number
    unread: Number


class HeartbeatRecord(msgspec.Struct, frozen=True):
    """One heartbeat of the process `member` of a stage; times are in seconds since 1970.

    `progress` has the partitions that the process holds. `starting` says what it does before it can work, and is empty
    once it does. `stopped` says that it has ended as it should; nothing more comes then.
    """

    stage: str
    member: str
    version: str
    started_at: Time
    timestamp: Time
    progress: list[PartitionProgress] = []
    starting: str = ""
    stopped: bool = False


_decode = msgspec.json.Decoder(HeartbeatRecord).decode


def heartbeat_key(stage: str, member: str) -> bytes:
    """The key of a process's heartbeats.

    Args:
        stage: One of `STAGES`.
        member: The name of the process among those of its stage. Readers refuse a key of more than `MAX_NAME_CHARS`
            bytes.

    >>> heartbeat_key("worker", "host-0")
    b'worker/host-0'
    """
    return f"{stage}/{member}".encode()


def member_of(place: str) -> str:
    """The name of a process by the host it runs on and the place it serves.

    Args:
        place: An address, a mailbox, a folder; of a longer one the last `MAX_PLACE_CHARS` characters are taken.
    """
    return f"{socket.gethostname()} {place[-MAX_PLACE_CHARS:]}"


def read_heartbeat(record: Record) -> HeartbeatRecord:
    """The heartbeat that a record of `health` holds; raises BadRecord."""
    try:
        heartbeat = _decode(record.value or b"")
    except UNDECODABLE as error:
        raise BadRecord("bad-json", f"heartbeat: {error}") from error
    if heartbeat.stage not in STAGES:
        raise BadRecord("bad-stage", f"heartbeat of a stage {heartbeat.stage[:40]!r}; there are {', '.join(STAGES)}")
    key = heartbeat_key(heartbeat.stage, heartbeat.member)
    if record.key != key or len(key) > MAX_NAME_CHARS:
        raise BadRecord("bad-key", f"key {record.key!r:.80} of a heartbeat is not its stage and member")
    for each in heartbeat.progress:
        if each.topic not in CONSUMED:
            raise BadRecord("bad-topic", f"heartbeat of a stage that reads {each.topic[:40]!r}")
    return heartbeat


class Appender(Protocol):
    """What takes records: a log, or something that appends for others."""

    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Append records."""


class HeartbeatWriter:
    """Writes the heartbeats of one process of a stage.

    Args:
        log: What the heartbeats are appended to by the thread that calls `beat`.
        stage: One of `STAGES`.
        member: The name of the process among those of its stage, the same after a restart.
        progress: Gives how far the process is in each partition it holds.
        clock: Gives seconds since 1970.
        timer: Gives seconds and never goes back.
    """

    def __init__(
        self,
        log: Appender,
        stage: str,
        member: str,
        progress: Callable[[], Mapping[TopicPartition, Progress]] = dict,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._stage = stage
        self._member = member
        self._progress = progress
        self._clock = clock
        self._timer = timer
        self._started_at = clock()
        self._due = float("-inf")

    def beat(self, stopped: bool = False, starting: str = "") -> None:
        """Write a heartbeat if one is due; one that is `stopped` always is, and of those `starting` one a second.

        Raises LogUnavailable.
        """
        now = self._timer()
        if now < self._due and not stopped:
            return
        self._due = now + (STARTING_S if starting else HEARTBEAT_S)
        record = HeartbeatRecord(
            stage=self._stage,
            member=self._member,
            version=__version__,
            started_at=self._started_at,
            timestamp=self._clock(),
            progress=[PartitionProgress(*place, *how_far) for place, how_far in self._progress().items()],
            starting=starting,
            stopped=stopped,
        )
        self._log.append([ProducerRecord(HEALTH, heartbeat_key(self._stage, self._member), encode(record), 0)])
