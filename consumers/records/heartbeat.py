"""Heartbeats: every few seconds each stage reports that it is alive and how far it is, so that its end is noticed.

They are on the compacted topic `health`, one key per process: ``worker/host-0``. They are only displayed, so they are
not part of a stage's commits.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Protocol

import msgspec

from stream_nb import __version__

from ..errors import UNDECODABLE, BadRecord, LogUnavailable
from ..log.base import ProducerRecord, Record, TopicPartition
from ..log.consumer_loop import Progress
from ..settings import LearnerSettings
from .sanitize import show_safely
from .schemas import EMAILS, HEALTH, LABELS, MODEL, PREDICTIONS, encode
from .values import Number, Time

HEALTH_PARTITION = TopicPartition(HEALTH, 0)
HEARTBEAT_S = 5.0
STARTING_S = 1.0
MAX_KEY_BYTES = 300
MAX_SERVED_CHARS = 55
MAX_SHOWN_CHARS = 100

WORKER, MONITOR, FEED, FILTER = "worker", "monitor", "feed", "filter"
SILENCE, COMBINER = "silence", "combiner"
STAGES = (WORKER, MONITOR, FEED, FILTER, SILENCE, COMBINER)
CONSUMED = (EMAILS, LABELS, PREDICTIONS, MODEL)
COMPARED = tuple(name for name in LearnerSettings.__struct_fields__ if name != "follow")
"""The settings that all workers of a group should share. What a worker follows does not change what it knows."""


class PartitionProgress(msgspec.Struct, frozen=True):
    """A stage's progress in one partition: its committed next_offset, and the number of records still to process."""

    topic: str
    partition: Number
    next_offset: Number
    unread: Number


class HeartbeatRecord(msgspec.Struct, frozen=True):
    """One heartbeat of the process `member` of a stage; times are in seconds since 1970.

    `progress` has the partitions assigned to the process. `starting` describes what it does before it can work, and is
    empty afterwards. `stopped` marks the last heartbeat, before an orderly end. `learner` has the settings with which a
    worker scores and learns, as text by name.
    """

    stage: str
    member: str
    version: str
    started_at: Time
    timestamp: Time
    progress: list[PartitionProgress] = []
    starting: str = ""
    stopped: bool = False
    learner: dict[str, str] = {}


_decode = msgspec.json.Decoder(HeartbeatRecord).decode


def heartbeat_key(stage: str, member: str) -> bytes:
    """The key of the heartbeats of the process `member`, a name that is unique in its `stage`. Readers reject keys of
    more than `MAX_KEY_BYTES` bytes.

    >>> heartbeat_key("worker", "host-0")
    b'worker/host-0'
    """
    return f"{stage}/{member}".encode()


def member_of(served: str) -> str:
    """The name of a process, made of its host and of the last `MAX_SERVED_CHARS` characters of what it serves: an
    address, a mailbox, a folder (`served`)."""
    return f"{socket.gethostname()} {served[-MAX_SERVED_CHARS:]}"


def read_heartbeat(record: Record) -> HeartbeatRecord:
    """Decode the heartbeat in a record of `health`; raises BadRecord."""
    try:
        heartbeat = _decode(record.value or b"")
    except UNDECODABLE as error:
        raise BadRecord("bad-json", f"heartbeat: {error}") from error
    if heartbeat.stage not in STAGES:
        raise BadRecord("bad-stage", f"heartbeat of a stage {heartbeat.stage[:40]!r}; there are {', '.join(STAGES)}")
    key = heartbeat_key(heartbeat.stage, heartbeat.member)
    if record.key != key or len(key) > MAX_KEY_BYTES:
        raise BadRecord("bad-key", f"key {record.key!r:.80} of a heartbeat is not its stage and member")
    for each in heartbeat.progress:
        if each.topic not in CONSUMED:
            raise BadRecord("bad-topic", f"heartbeat of a stage that reads {each.topic[:40]!r}")
    return heartbeat


def different_settings(heartbeats: Iterable[HeartbeatRecord]) -> list[str]:
    """Each `[learner]` setting in which the workers of these heartbeats differ, with its values, safe to show:
    ``smoothing 0.1 or 5.0``. Heartbeats without settings do not count."""
    told = [heartbeat.learner for heartbeat in heartbeats if heartbeat.learner]
    values = {name: sorted({each.get(name, "") for each in told}) for name in COMPARED}
    return [show_safely(f"{name} {' or '.join(v)}", MAX_SHOWN_CHARS) for name, v in values.items() if len(v) > 1]


class Appender(Protocol):
    """Something that appends records: a log, or a thread that appends for others."""

    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Append records."""


class HeartbeatWriter:
    """Writes the heartbeats of one process of a stage; the last one at the end of a `with` block.

    Args:
        log: Where the heartbeats are appended, by the thread that calls `beat`.
        stage: One of `STAGES`.
        member: The name of the process, unique in its stage and the same after a restart.
        progress: Returns the progress in each partition assigned to the process.
        clock: Returns seconds since 1970.
        timer: A monotonic clock, in seconds.
        learner: The settings with which the process scores and learns; None if it does neither.
    """

    def __init__(
        self,
        log: Appender,
        stage: str,
        member: str,
        progress: Callable[[], Mapping[TopicPartition, Progress]] = dict,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.monotonic,
        learner: LearnerSettings | None = None,
    ) -> None:
        self._log = log
        self._stage = stage
        self._member = member
        self._progress = progress
        self._clock = clock
        self._timer = timer
        self._learner = {} if learner is None else {name: str(getattr(learner, name)) for name in COMPARED}
        self._started_at = clock()
        self._due = float("-inf")

    def __enter__(self) -> HeartbeatWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the last heartbeat, unless the log, which would have to take it, has just become unavailable."""
        if kind is None or not issubclass(kind, LogUnavailable):
            with nullcontext() if kind is None else suppress(LogUnavailable):  # the reason for the end matters more
                self.beat(stopped=True)

    def beat(self, stopped: bool = False, starting: str = "") -> None:
        """Write a heartbeat if one is due; a `stopped` one always is, a `starting` one is due every second.

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
            learner=self._learner,
        )
        self._log.append([ProducerRecord(HEALTH, heartbeat_key(self._stage, self._member), encode(record), 0)])
